/** Assembles the server of a tenant: from its options, people and clients, with the hooks and misbehaviours that are on. */

import { createRandomBytes } from "../../../ground/crypto/bytes.ts";
import { expandOptions } from "../../../server/features/mod.ts";
import type { FetchOthers } from "../../../ground/http/message.ts";
import { isReservedForTests } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import { isReachedFromElsewhere } from "../../../server/oauth/clients/reach/reached_from_elsewhere.ts";
import type { Journal, JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import { type AssembledServer, assembleServer, type ServerParts } from "../../../server/server.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../../server/setup/configuration.ts";
import { memoryStore } from "../../../server/store/memory.ts";
import { present } from "../../../ground/values/present.ts";
import { keepUntilSettled } from "../../../ground/values/until_settled.ts";
import { providers } from "../../faults/look_alikes/providers.ts";
import { withUsername } from "../journal/with_username.ts";
import { findLookAlike } from "../misbehaving/active_misbehaviour.ts";
import type { Face } from "../provider/face.ts";
import type { RunningTenant, ServerState } from "../running_tenant.ts";
import type { MockOptions } from "../terms/mock_options.ts";
import { noteFailedRequest } from "./note_failed_request.ts";
import { bindDecisions, findFeatures } from "./shared_features.ts";
import { type OnArrival, trackFacts } from "./tracked_requests.ts";
import { describeTenant, explainSetUp } from "./tenant_name.ts";
import { createTestKeySource } from "./test_keys.ts";

interface Lists {
  readonly people: readonly PersonConfiguration[];
  readonly clients: readonly ClientMetadata[];
}

interface Assembly extends Lists, Required<Pick<ServerParts, "growingPeople">> {
  readonly state: ServerState;
  /** Absent: the server answers as itself. */
  readonly face?: Face | undefined;
  readonly journal: Journal;
}

/** Returns the server with the current options, people and clients over this state. */
export function assembleOver(
  state: ServerState,
  face: Face | undefined,
  running: RunningTenant,
): AssembledServer {
  const { people, clients } = running.directories;
  return assemble({
    state,
    face,
    people: people.all,
    clients: clients.all,
    growingPeople: {
      get current() {
        return running.services.settings.people;
      },
      add: people.add,
    },
    journal(entry) {
      // Ignores requests that started before a reset.
      if (state === running.serving.state) return record(entry, running);
    },
  }, running);
}

/** Throws if the server cannot have these people and clients. */
export function requireFit(lists: Lists, running: RunningTenant): void {
  const { terms: { name, options }, directories: { people }, services } = running;
  const keySource = createTestKeySource(undefined, options.signingKeys);
  const state = { store: memoryStore(), random: createRandomBytes(), keySource };
  const growingPeople = { current: services.settings.people, add: people.add };
  try {
    const { server } = assemble({ ...lists, state, growingPeople, journal() {} }, running);
    keepUntilSettled(server.close(), running.loading);
  } catch (error) {
    throw explainSetUp(error, describeTenant(name));
  }
}

function assemble(
  { state: { keySource, ...state }, face, people, clients, growingPeople, journal }: Assembly,
  running: RunningTenant,
): AssembledServer {
  const { terms, conditions: { clock, gates, hooks, decisions }, activeList } = running;
  const { options, issuer, demoClients = [], isReached = false } = terms;
  const { changeFeatures = (usual) => usual } = terms;
  const { frontPage = "full", ...serverOptions } = withoutKitOptions(options);
  const activeNames = () => activeList.active.map(({ name }) => name);
  const own = { ...serverOptions, issuer: issuer(), clients };
  const expanded = expandOptions(face?.changeOptions(own) ?? own);
  const configuration = {
    clientDocuments: true,
    firstUse: running.firstUse,
    // At the hosts of a provider as at the server itself.
    registration: !isReachedFromElsewhere(own),
    ...activeList.changeOptions(expanded),
  };
  const featureOptions = { ...configuration, moreAuthorities: running.certificates.authorities };
  // With mTLS, a tenant has an authority of its own.
  const isOwn = (configuration.mtls ?? configuration.clientCertHeader) !== undefined;
  const usual = findFeatures(featureOptions, isOwn);
  const arrive: OnArrival = (endpoint, arrival, at) => {
    face?.prepare(at.exchange);
    const failure = gates.takeFailure(endpoint);
    if (failure === undefined) return activeList.arrive(arrival, at);
    // The body of a request to an API is for its handler.
    const noted = endpoint === "resource" ? undefined : noteFailedRequest(at.exchange, assembled.services);
    return Promise.resolve(noted).then(() => Promise.reject(failure));
  };
  const assembled: AssembledServer = assembleServer({
    ...configuration,
    ...state,
    people,
    clients: activeList.changeClients(expanded.clients),
    // Also shown beyond loopback, because the people and clients on the front page belong to the test.
    frontPage,
    now: clock.serverNow,
    journal,
    seams: trackFacts(activeList.addTo(hooks.seams), arrive, running.tracked),
  }, {
    features: changeFeatures(face?.changeFeatures(usual) ?? usual),
    ...present({ changeSettings: face?.changeSettings, keySource }),
    misbehaviours: () => activeNames().filter((name) => findLookAlike(name) === undefined),
    lookAlikes: () =>
      activeNames().flatMap((name) => findLookAlike(name) ?? []).map((name) => providers[name].title),
    callSelf: running.answer,
    growingPeople,
    frame: running.showFrame,
    demoClients,
    isReached,
    // All servers of a mock have one clock, also after one replaces another.
    clock: "mock",
    findHosted: (url) =>
      running.documents.get(url.href) ?? terms.findKeys(url) ?? findGlobalFetch(url, options),
  });
  bindDecisions(assembled.services, decisions);
  return assembled;
}

function withoutKitOptions(
  {
    seed: _seed,
    time: _time,
    misbehave: _misbehave,
    lookLike: _lookLike,
    onUnhandled: _onUnhandled,
    ...others
  }: MockOptions,
) {
  return others;
}

/** No network has the names that are reserved for tests, but a test may have replaced the global `fetch`. */
function findGlobalFetch({ href }: URL, { fetch }: MockOptions): FetchOthers | undefined {
  return fetch === undefined && isReservedForTests(href) ? globalThis.fetch : undefined;
}

function record(serverEntry: JournalEntry, running: RunningTenant): void {
  const { conditions: { gates }, activeList, recorder, services, journal } = running;
  const tracked = running.tracked.get(serverEntry.facts)!;
  const { endpoint, arrivedAt, url } = tracked;
  tracked.isLost ||= gates.takeDrop(endpoint);
  // The server measures the duration from the gate on, so the wait at the gate is added.
  const duration = serverEntry.duration + (serverEntry.receivedAt - arrivedAt);
  const alone = { ...serverEntry, receivedAt: arrivedAt, duration };
  const entry = url === undefined ? alone : withUrl(alone, url);
  const named = withUsername(entry, services);
  recorder.write(named, tracked);
  activeList.note(named, endpoint);
  return journal?.(entry);
}

/** Notes the URL as for a request to an API of the test. */
function withUrl(entry: JournalEntry, url: string): JournalEntry {
  return { ...entry, facts: { ...entry.facts, more: { ...entry.facts.more, resource: { url } } } };
}
