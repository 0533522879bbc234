/** Creates a tenant from its parts: what tests set, the journal, and the server over them. */

import { withGetters } from "../../ground/values/with_getters.ts";
import { demoPeople } from "../../server/setup/demo.ts";
import { createClientCertificates } from "./client/client_certificates.ts";
import { createTokenRecipients } from "./client/token_recipients.ts";
import { createConditions } from "./conditions/conditions.ts";
import { createRecorder } from "./journal/recorder.ts";
import { createActiveList } from "./misbehaving/active_list.ts";
import type { MisbehaviourSources } from "./misbehaving/active_misbehaviour.ts";
import { locateOtherServer } from "./misbehaving/other_server.ts";
import { createSwitchedOn } from "./misbehaving/switched_on.ts";
import { startWrong } from "./tenant_lifetime.ts";
import type { RunningMock } from "./running_mock.ts";
import type { RunningTenant, TenantTerms } from "./running_tenant.ts";
import { answerApiPastGates, answerPastGates, endpointOf } from "./server/answer_past_gates.ts";
import { CutShort } from "./server/cut_short.ts";
import { noteFailedRequest } from "./server/note_failed_request.ts";
import { createServing, findFace, rebuild, serverFor, startServer } from "./server/serving.ts";
import { createRunningRequests } from "./server/running_requests.ts";
import { describeTenant } from "./server/tenant_name.ts";
import type { Tenant } from "./tenant.ts";
import { createTenantCalls } from "./tenant_calls.ts";
import { createDirectory } from "./terms/directory.ts";
import { chooseClients } from "./terms/mock_options.ts";
import { endAccessToken, findFuture, findPast } from "./tokens/expire.ts";

export function createTenant(terms: TenantTerms, mock: RunningMock): RunningTenant<Tenant> {
  const running = gatherTenant(terms, mock);
  startServer(running, mock.options);
  Object.assign(running, { tenant: createTenantCalls(running, mock) });
  startWrong(running);
  return running;
}

function gatherTenant(terms: TenantTerms, mock: RunningMock): RunningTenant<Tenant> {
  const find = () => running;
  const set = createSettable(terms, find);
  const { directories: { clients }, registered } = set;
  const recorder = createRecorder();
  const serving = createServing(find);
  const parts: Omit<RunningTenant, "tenant" | "clients" | "lastReset" | "isClosed" | "services"> = {
    terms,
    name: terms.name,
    ...set,
    recorder,
    recipients: createTokenRecipients(),
    journal: terms.options.journal,
    listJournals: () => [recorder, ...mock.resources.of(running)],
    listApis: () => mock.resources.of(running).map(({ resource: { url } }) => url),
    serving,
    retired: new Set(),
    loading: new Set(),
    loadedFaces: new WeakMap(),
    tracked: new WeakMap(),
    runningRequests: createRunningRequests(),
    ...bindServer(find),
    showFrame: () => mock.dashboard?.frame(running),
    keep: () => mock.begun.release(terms.name),
  };
  // The calls are made of these.
  const running = withGetters(parts, {
    clients: () => registered.size === 0 ? clients.all : [...clients.all, ...registered.values()],
    lastReset: () => serving.lastReset,
    isClosed: () => serving.closing !== undefined,
    services: () => serving.current.services,
  }) as RunningTenant<Tenant>;
  return running;
}

/** Creates what tests set. */
function createSettable(terms: TenantTerms, find: () => RunningTenant) {
  const { name, options, claimedHosts, savedPeople: saved } = terms;
  const sources = describeSources(find);
  const { rebuild: apply } = sources;
  const conditions = createConditions(options, sources);
  const activeList = createActiveList(sources);
  return {
    directories: {
      people: createDirectory("people", "username", options.people ?? demoPeople, { apply, saved }),
      clients: createDirectory("clients", "client_id", chooseClients(options), { apply }),
    },
    firstUse: options.firstUse ?? options.clients === undefined,
    conditions,
    clock: conditions.clock,
    bind: conditions.decisions.bind,
    activeList,
    switchedOn: createSwitchedOn(
      activeList,
      (provider, host, client) => claimedHosts.claim({ name: provider, host, tenant: name }, client),
    ),
    documents: new Map(),
    registered: new Map(),
    certificates: createClientCertificates(),
  } satisfies Partial<RunningTenant>;
}

/** Binds the functions of the server to the tenant, which has them before its server. */
function bindServer(find: () => RunningTenant) {
  return {
    async servicesAt(url) {
      const face = URL.canParse(url) ? await findFace(new URL(url).origin, find()) : undefined;
      return serverFor(face, find()).services;
    },
    answer: (request) => answerPastGates(request, find()),
    answerApi: (exchange, work, record) => answerApiPastGates(exchange, work, record, find()),
    factsOf: (request) => find().tracked.get(request)?.facts,
    requireOpen() {
      const { serving, name } = find();
      if (serving.isStopped) throw new CutShort(describeTenant(name).closedMessage);
    },
  } satisfies Partial<RunningTenant>;
}

/** Returns what hooks and misbehaviours ask. A tenant has both before its server. */
function describeSources(find: () => RunningTenant): MisbehaviourSources {
  const findPerson = (subject: string) => find().services.settings.people.findBySubject(subject);
  const sources: Omit<MisbehaviourSources, "issuer" | "otherServer" | "also"> = {
    nameOf: (subject) => findPerson(subject)?.username ?? subject,
    endpointOf: (request) => endpointOf(request, find()),
    faceIssuerOf: (request) => find().tracked.get(request)?.face?.issuer,
    now: () => find().services.now(),
    findPast: (when) => findPast(find(), when),
    findFuture: (when) => findFuture(find(), when),
    findPerson,
    random: () => find().services.random,
    revoke: (accessToken) => endAccessToken(accessToken, find().services),
    noteClient: (exchange) => noteFailedRequest(exchange, find().services),
    drop({ request }) {
      const tracked = find().tracked.get(request);
      if (tracked !== undefined) tracked.isLost = true;
    },
    rebuild: () => rebuild(find()),
  };
  return withGetters(sources, {
    issuer: () => find().terms.issuer(),
    otherServer: () => locateOtherServer(new URL(find().terms.issuer()).origin),
    also: () => find().terms.options.also ?? [],
  });
}
