/** The server of a tenant. Every request passes the gates, reaches the current server, and is recorded. */

import { createRandomBytes } from "../../../ground/crypto/bytes.ts";
import { defaultFeatures, expandOptions } from "../../../server/features/mod.ts";
import { cancelBody } from "../../../ground/http/body.ts";
import type { Answer, FetchOthers, IncomingRequest } from "../../../ground/http/message.ts";
import type { AnyFeature, OwnRequests, Services } from "../../../server/oauth/contracts/feature.ts";
import { isReservedForTests } from "../../../server/oauth/clients/metadata/redirect_uri.ts";
import { asOAuthError, refusalJson } from "../../../server/oauth/requests/refuse.ts";
import type { Exchange } from "../../../server/oauth/contracts/exchange.ts";
import type { Facts, Journal, JournalEntry } from "../../../server/oauth/contracts/journal.ts";
import type { Frame } from "../../../server/pages/pages_options.ts";
import { passSeam } from "../../../server/oauth/contracts/seams.ts";
import { type AssembledServer, assembleServer, type ServerParts } from "../../../server/server.ts";
import type { ClientMetadata } from "../../../server/setup/client_metadata.ts";
import type { PersonConfiguration } from "../../../server/setup/configuration.ts";
import { providers } from "../../faults/look_alikes/providers.ts";
import type { Conditions } from "../conditions/conditions.ts";
import { createSeededRandom } from "../conditions/seeded_random.ts";
import { type EndpointName, nameEndpoint } from "../endpoints.ts";
import type { Delivery, Recorder } from "../journal/recorder.ts";
import type { ActiveList } from "../misbehaving/active_list.ts";
import { findLookAlike } from "../misbehaving/active_misbehaviour.ts";
import { withUsername } from "../journal/with_username.ts";
import { loadEntries } from "../misbehaving/load_entries.ts";
import type { ClaimedHosts, ClaimedProvider } from "../provider/claimed_hosts.ts";
import type { Face } from "../provider/face.ts";
import { isInProcess } from "../provider/in_process.ts";
import { AnswerLost } from "../network/network_error.ts";
import type { MockOptions } from "../terms/mock_options.ts";
import { answerCutShort, CutShort } from "./cut_short.ts";
import { noteFailedRequest } from "./note_failed_request.ts";
import { memoryStore } from "../../../server/store/memory.ts";
import { type KeptRecord, readRecords, type Records } from "./records.ts";
import { createReplaceableServer, type ReplaceableServer, type ServerState } from "./replaceable_server.ts";
import { createRequestTracker, type RequestTracker } from "./request_tracker.ts";
import { createRunningRequests, type RunningRequests } from "./running_requests.ts";
import { describeTenant, explainSetUp } from "./tenant_name.ts";
import { createTestKeySource } from "./test_keys.ts";
import { remember } from "../../../ground/values/remember.ts";
import { present } from "../../../ground/values/present.ts";

export interface TenantServerOptions {
  readonly options: MockOptions;
  readonly demoClients?: readonly ClientMetadata[];
  /** Empty for the mock itself. The name is added to the seed, so that tenants with the same seed differ. */
  readonly name: string;
  /** Returns the current issuer, which changes when the mock starts to listen. */
  readonly issuer: () => string;
  readonly firstUse: boolean;
  readonly people: () => readonly PersonConfiguration[];
  readonly addPerson: (person: PersonConfiguration) => void;
  readonly clients: () => readonly ClientMetadata[];
  readonly conditions: Conditions;
  readonly misbehaviours: ActiveList;
  /** Returns the authorities of clients' certificates that the test has created, in DER. */
  readonly moreAuthorities: () => readonly Uint8Array[];
  /** Answers the server's own requests, by URL. */
  readonly documents: ReadonlyMap<string, FetchOthers>;
  /** Returns the function that fetches the keys of a server of the mock, if the URL is theirs. Absent: a single server. */
  readonly findKeys?: (url: URL) => FetchOthers | undefined;
  readonly recorder: Recorder;
  /** Returns the frame of the pages, if the tenant has a dashboard. */
  readonly frame: () => Promise<Frame> | undefined;
  readonly records: Records;
  /** The hosts of providers that the mock answers for. */
  readonly claimedHosts: ClaimedHosts;
  /** Whether other machines can reach the mock. Default: no. */
  readonly isReached?: boolean;
  /** Returns the features of the server, from those of a usual one. Default: the usual ones. */
  readonly changeFeatures?: ((usual: readonly AnyFeature[]) => readonly AnyFeature[]) | undefined;
}

interface Lists {
  readonly people: readonly PersonConfiguration[];
  readonly clients: readonly ClientMetadata[];
}

export interface TenantServer {
  readonly services: Services;
  readonly runningRequests: Pick<RunningRequests, "isBusy" | "begun" | "finish">;
  /** Returns the services of the server at the origin of a URL, which may be that of a provider. */
  servicesAt(url: string): Promise<Services>;
  /** Returns the issuer of the face that answers the request. `undefined`: the server answers as itself. */
  faceIssuerOf(request: IncomingRequest): string | undefined;
  /** Answers a request. Rejects with `AnswerLost` if a test drops the response. */
  answer(request: IncomingRequest): Promise<Answer>;
  /** Gates, failures, drops, hooks and misbehaviours apply as to other requests. Calls `record` before the answer leaves. */
  answerApi(
    exchange: Exchange,
    work: () => Promise<Answer>,
    record: (answer: Answer, delivery: Delivery) => void,
  ): Promise<Answer>;
  /** Removes the response of a running request. */
  drop(request: IncomingRequest): void;
  factsOf(request: IncomingRequest): Partial<Facts> | undefined;
  /** Returns the endpoint of a request, even if the issuer has changed since the request arrived. */
  endpointOf(request: IncomingRequest): EndpointName;
  requireOpen(): void;
  rotateKeys(terms: { readonly atOnce: boolean }): Promise<void>;
  /** Applies changed people, clients or issuer. Requests that already run keep the old ones. */
  rebuild(): void;
  /** Deletes all records. Running requests fail. */
  reset(): void;
  /** Throws if the server cannot have these people and clients. */
  requireFit(lists: Lists): void;
  /** Reads the records for a snapshot. */
  readRecords(): Promise<readonly KeptRecord[]>;
  /** Returns a function that replaces all records, and applies changed people and clients. */
  prepareRecords(kept: readonly KeptRecord[]): Promise<() => void>;
  /** Refuses new requests, and ends all waiting at gates and in the journal. */
  stop(): void;
  /** Waits for running requests. Rejects if a request does not end within three seconds. */
  close(): Promise<void>;
}

export function createTenantServer(terms: TenantServerOptions): TenantServer {
  const { name, recorder, records, misbehaviours, conditions: { clock, gates } } = terms;
  const { noun, closedClause, closedMessage } = describeTenant(name);
  const tracker = createRequestTracker();
  const running = createRunningRequests();
  const server = createServer(terms, tracker, (request) => answer(request));
  let stopped = false;

  function requireOpen(): void {
    if (stopped) throw new CutShort(closedMessage);
  }

  function endpointOf(request: IncomingRequest): EndpointName {
    const { method, address: { path } } = request;
    return tracker.find(request)?.endpoint ?? nameEndpoint({ method, path }, server.current.router);
  }

  const findFace = createFaceFinder(terms, () => server.current.services.settings.reservedForTests);
  const withFace = (face: Face | undefined) => face === undefined ? server.current : server.withFace(face);

  async function handle(request: IncomingRequest): Promise<Answer> {
    const { origin, path } = request.address;
    const finding = isInProcess(request) ? findFace(origin) : undefined;
    const face = finding && await finding;
    const endpoint = face === undefined
      ? endpointOf(request)
      : nameEndpoint({ method: request.method, path }, withFace(face).router);
    const at = { endpoint, arrivedAt: clock.serverNow() };
    const tracked = tracker.track(request, face === undefined ? at : { ...at, face, url: origin + path });
    const { state } = server;
    const requireNoReset = () => {
      if (state !== server.state) throw new CutShort("The mock was reset while this request was running");
    };
    // The gate comes first, so that changes by the test during the wait apply to the held request.
    await gates.arrive(endpoint);
    await misbehaviours.loading;
    requireNoReset();
    const answer = await withFace(face).server.answer(request);
    // The client does not get this response, so the stream in its body has no reader.
    if (tracked.isLost || state !== server.state) cancelBody(answer.body);
    requireNoReset();
    if (tracked.isLost) throw new AnswerLost();
    return answer;
  }

  function answer(request: IncomingRequest): Promise<Answer> {
    return answerCutShort(request, () => {
      requireOpen();
      return running.run(`${request.method} ${request.address.path}`, handle(request));
    });
  }

  const answerApi: TenantServer["answerApi"] = async (exchange, work, record) => {
    const endpoint = "resource";
    const tracked = tracker.track(exchange.request, { endpoint, arrivedAt: clock.now });
    await gates.arrive(endpoint);
    await misbehaviours.loading;
    const { seams } = server.current.services;
    const answer = await answerErrors(exchange, async () => {
      const { answer: own } = await passSeam(seams, "arrival", { request: exchange.request }, exchange);
      return await passSeam(seams, "response", own ?? await work(), exchange);
    });
    tracked.isLost ||= gates.takeDrop(endpoint);
    record(answer, tracked);
    if (!tracked.isLost) return answer;
    cancelBody(answer.body);
    throw new AnswerLost();
  };

  return {
    get services() {
      return server.current.services;
    },
    runningRequests: running,
    async servicesAt(url) {
      const face = URL.canParse(url) ? await findFace(new URL(url).origin) : undefined;
      return withFace(face).services;
    },
    faceIssuerOf: (request) => tracker.find(request)?.face?.issuer,
    answer,
    answerApi,
    drop(request) {
      const tracked = tracker.find(request);
      if (tracked !== undefined) tracked.isLost = true;
    },
    factsOf: (request) => tracker.find(request)?.facts,
    endpointOf,
    requireOpen,
    rotateKeys: (terms) => server.rotateKeys(terms),
    rebuild() {
      requireOpen();
      server.rebuild();
    },
    reset() {
      records.clear(name);
      server.reset();
      running.forget();
      recorder.endWaiting(`the ${noun} was reset`);
    },
    requireFit({ people, clients }) {
      const keySource = createTestKeySource(undefined, terms.options.signingKeys);
      const state = { store: memoryStore(), random: createRandomBytes(), keySource };
      const trial = { ...terms, people: () => people, clients: () => clients };
      const growingPeople = { current: server.current.services.settings.people, add: terms.addPerson };
      const parts = { callSelf: answer, growingPeople, journal: () => {} };
      try {
        void assemble(trial, tracker, state, undefined, parts).server.close();
      } catch (error) {
        throw explainSetUp(error, describeTenant(name));
      }
    },
    readRecords: () => readRecords(server.state.store),
    async prepareRecords(kept) {
      const open = await records.prepare(name, kept);
      return () => server.replaceStore(open());
    },
    stop() {
      misbehaviours.clear();
      stopped = true;
      gates.clear();
      recorder.close(`the ${noun} ${closedClause}`);
    },
    async close() {
      await running.finish(`close the ${noun}`);
      await server.close();
    },
  };
}

function createServer(
  terms: TenantServerOptions,
  tracker: RequestTracker,
  callSelf: OwnRequests["callSelf"],
): ReplaceableServer<Face> {
  const { name, records, options: { seed: seedOfMock, signingKeys } } = terms;
  const seed = seedOfMock === undefined || name === "" ? seedOfMock : `${seedOfMock} ${name}`;
  const createState = (): ServerState => ({
    store: records.open(name),
    random: seed === undefined ? createRandomBytes() : createSeededRandom(seed),
    ...(records.areLasting ? {} : { keySource: createTestKeySource(seed, signingKeys) }),
  });
  const assembleOver = (state: ServerState, face?: Face) =>
    assemble(terms, tracker, state, face, {
      callSelf,
      growingPeople: {
        get current() {
          return server.current.services.settings.people;
        },
        add: terms.addPerson,
      },
      journal(entry) {
        // Ignores requests that started before a reset.
        if (state === server.state) return record(entry, terms, tracker, server);
      },
    });
  let server: ReplaceableServer<Face>;
  try {
    return server = createReplaceableServer(createState, assembleOver);
  } catch (error) {
    throw explainSetUp(error, describeTenant(name));
  }
}

function assemble(
  terms: TenantServerOptions,
  tracker: RequestTracker,
  { keySource, ...state }: ServerState,
  face: Face | undefined,
  { journal, ...parts }: Pick<ServerParts, "growingPeople"> & Pick<OwnRequests, "callSelf"> & {
    readonly journal: Journal;
  },
): AssembledServer {
  const { options, demoClients = [], issuer, firstUse, people, clients, isReached = false } = terms;
  const { conditions, misbehaviours, moreAuthorities, documents, findKeys, frame } = terms;
  const { changeFeatures = (usual) => usual } = terms;
  const {
    seed: _seed,
    time: _time,
    misbehave: _misbehave,
    lookLike: _lookLike,
    onUnhandled: _onUnhandled,
    frontPage = "full",
    ...serverOptions
  } = options;
  const { clock, gates, hooks, decisions } = conditions;
  const seams = misbehaviours.addTo(hooks.seams);
  const activeNames = () => misbehaviours.active.map(({ name }) => name);
  const own = { ...serverOptions, issuer: issuer(), clients: clients() };
  const expanded = expandOptions(face?.changeOptions(own) ?? own);
  const configuration = { clientDocuments: true, firstUse, ...misbehaviours.changeOptions(expanded) };
  const featureOptions = { ...configuration, moreAuthorities };
  const usual = [...defaultFeatures(featureOptions), decisions.feature];
  const assembled: AssembledServer = assembleServer({
    ...configuration,
    ...state,
    people: people(),
    clients: misbehaviours.changeClients(expanded.clients),
    // Also shown beyond loopback, because the people and clients on the front page belong to the test.
    frontPage,
    now: clock.serverNow,
    journal,
    seams: tracker.addTo(seams, (endpoint, arrival, at) => {
      face?.prepare(at.exchange);
      const failure = gates.takeFailure(endpoint);
      if (failure === undefined) return misbehaviours.arrive(arrival, at);
      // The body of a request to an API is for its handler.
      const noted = endpoint === "resource" ? undefined : noteFailedRequest(at.exchange, assembled.services);
      return Promise.resolve(noted).then(() => Promise.reject(failure));
    }),
  }, {
    features: changeFeatures(face?.changeFeatures(usual) ?? usual),
    ...present({ changeSettings: face?.changeSettings }),
    misbehaviours: () => activeNames().filter((name) => findLookAlike(name) === undefined),
    lookAlikes: () =>
      activeNames().flatMap((name) => findLookAlike(name) ?? []).map((name) => providers[name].title),
    ...parts,
    frame,
    ...present({ keySource }),
    demoClients,
    isReached,
    // All servers of a mock have one clock, also after one replaces another.
    clock: "mock",
    findHosted: (url) => documents.get(url.href) ?? findKeys?.(url) ?? findGlobalFetch(url, options),
  });
  return assembled;
}

/** Turns an error into an answer: a failure that the test asked for, or an error that a hook threw. */
async function answerErrors(exchange: Exchange, work: () => Promise<Answer>): Promise<Answer> {
  try {
    return await work();
  } catch (error) {
    return refusalJson(asOAuthError(error, exchange.id), exchange);
  }
}

/** No network has the names that are reserved for tests, but a test may have replaced the global `fetch`. */
function findGlobalFetch({ href }: URL, { fetch }: MockOptions): FetchOthers | undefined {
  return fetch === undefined && isReservedForTests(href) ? globalThis.fetch : undefined;
}

/** Notes the URL as for a request to an API of the test. */
function withUrl(entry: JournalEntry, url: string): JournalEntry {
  return { ...entry, facts: { ...entry.facts, more: { ...entry.facts.more, resource: { url } } } };
}

/** Returns `undefined` for an origin that is not one of a provider for which this server answers. */
function createFaceFinder(
  { claimedHosts, name }: Pick<TenantServerOptions, "claimedHosts" | "name">,
  isForTests: () => boolean,
): (origin: string) => Promise<Face> | undefined {
  const faces = new WeakMap<ClaimedProvider, Promise<Face>>();
  return (origin) => {
    const claimed = claimedHosts.find(origin);
    if (claimed?.tenant !== name) return undefined;
    const load = () => loadEntries().then(({ createFace }) => createFace(claimed, isForTests()));
    return remember(faces, claimed, load);
  };
}

function record(
  serverEntry: JournalEntry,
  { options: { journal }, conditions: { gates }, misbehaviours, recorder }: TenantServerOptions,
  tracker: RequestTracker,
  { current }: ReplaceableServer<Face>,
): void {
  const tracked = tracker.find(serverEntry.facts)!;
  const { endpoint, arrivedAt, url } = tracked;
  tracked.isLost ||= gates.takeDrop(endpoint);
  // The server measures the duration from the gate on, so the wait at the gate is added.
  const duration = serverEntry.duration + (serverEntry.receivedAt - arrivedAt);
  const alone = { ...serverEntry, receivedAt: arrivedAt, duration };
  const entry = url === undefined ? alone : withUrl(alone, url);
  const named = withUsername(entry, current.services);
  recorder.write(named, tracked);
  misbehaviours.note(named, endpoint);
  return journal?.(entry);
}
