/** A mock is an authorization server inside a test. It can have tenants, which are further authorization servers. */

import {
  type Answer,
  changeRequest,
  fromRequest,
  type IncomingRequest,
  withoutBody,
} from "../../ground/http/message.ts";
import { fixedPath } from "../../ground/http/router.ts";
import { assetsPath, findProfile } from "../../server/oauth/contracts/paths.ts";
import type { Frame } from "../../server/pages/pages_options.ts";
import type { Store } from "../../server/store/store.ts";
import { createOtherServer, type OtherServer } from "./misbehaving/other_server.ts";
import { type Apis, createFetch, type ServingFetch } from "./network/fetch.ts";
import type { MockDispatcher } from "./network/dispatcher.ts";
import { createInterceptions, type Interceptions } from "./network/interceptions.ts";
import type { Listening, ListenTerms } from "./network/listening.ts";
import { findAtOtherPort, isOwnHost, originFor, pathOf } from "../../server/oauth/requests/server_urls.ts";
import { answerIncoming } from "./resources/answer_incoming.ts";
import { createResources, type Resources } from "./resources/resources.ts";
import { createMovableIssuer, type MovableIssuer } from "./network/movable_issuer.ts";
import { createPorts, type Ports } from "./network/ports.ts";
import { type ClaimedHosts, createClaimedHosts } from "./provider/claimed_hosts.ts";
import { isInProcess } from "./provider/in_process.ts";
import { createLastingRecords, type Records, recordsInMemory } from "./server/records.ts";
import { isTestKey } from "./server/test_keys.ts";
import type { RunningTenant } from "./create_tenant.ts";
import type { Tenant } from "./tenant.ts";
import { createSnapshots, type Snapshot, type Snapshots } from "./snapshots.ts";
import { createTenants, type Tenants, type TenantsOptions } from "./tenants.ts";
import { requireKnownOptions, termsOf } from "./terms/known_options.ts";
import {
  type MockOptions,
  type OnUnhandled,
  onUnhandledSchema,
  requireMockOptions,
} from "./terms/mock_options.ts";
import type { WorkloadPlatform } from "./workloads/names.ts";
import type { RunningPlatform, Workload } from "./workloads/workload.ts";
import type { WorkloadTerms } from "./workloads/workload_terms.ts";

/** Options of `intercept`. */
export interface InterceptTerms {
  /**
   * Also takes the requests of `node:http` and `node:https`, on Node, Deno and Bun. Default: false, and they go to the
   * network, even to the hosts of the mock.
   */
  readonly node?: boolean;
  /**
   * What happens to a request of `fetch` to another origin: it goes to its server (`bypass`), or it fails (`error`), unless
   * it is for this machine. The same applies to requests of `node:http` and `node:https` with `node: true`, and only then.
   * Default: the option of `createMock`, or `bypass`.
   */
  readonly onUnhandled?: OnUnhandled;
}

/** An authorization server inside a test. `fetch`, `authorize`, `reset` and `close` also cover its tenants. */
export interface Mock extends Tenant {
  /** Answers a request like `fetch`, but takes and returns plain values, which are faster on Node than `Request`. */
  answer(request: IncomingRequest): Promise<Answer>;
  /**
   * Answers requests of undici, and of Node's own `fetch`, without a network: `fetch(url, { dispatcher: as.dispatcher })`.
   * Requests to other origins than those of the mock and its APIs fail.
   */
  readonly dispatcher: MockDispatcher;
  /**
   * Replaces the global `fetch` for requests to the origins of the mock, its APIs and the providers that it looks like.
   * Disposing of the result restores `fetch`.
   */
  intercept(terms?: InterceptTerms): Disposable;
  /** Opens a port. The issuer becomes the origin of the port, unless the options of the mock name an issuer. */
  listen(terms?: ListenTerms): Promise<Listening>;
  /** The names of the tenants that are not closed. */
  readonly tenants: readonly string[];
  /**
   * Returns the tenant with this name and creates it at the first call. A tenant is an authorization server below a path
   * of its own. It shares nothing with the mock but the default test signing keys.
   */
  tenant(name: string, options?: Omit<MockOptions, "issuer">): Tenant;
  /**
   * Keeps the people, clients, grants, sessions, keys and the clock of the mock and its tenants. Waits for running
   * requests.
   */
  snapshot(): Promise<Snapshot>;
  /**
   * Returns to a snapshot, as often as you like. Waits for running requests. The journal, hooks and gates stay, and a
   * tenant that is newer than the snapshot is reset.
   */
  restore(snapshot: Snapshot): Promise<void>;
  /**
   * Mints a token as a platform gives it to a workload without a person: to a pipeline, a pod or a service. A tenant
   * with the name of the platform has its discovery document and keys, at the same paths as the platform.
   */
  workload(platform: WorkloadPlatform, terms?: WorkloadTerms): Promise<Workload>;
}

const usualIssuer = "https://as.test";
const interceptOptions = termsOf<InterceptTerms>({
  node: { type: "boolean" },
  onUnhandled: onUnhandledSchema,
});
const listenOptions = termsOf<ListenTerms>({ port: true, host: true, tls: true });

/** Creates an authorization server inside a test. It needs no port and no configuration. */
// deno-lint-ignore require-await -- an async function, so that wrong options reject instead of throwing
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  return assembleMock(options).mock;
}

/** What `postern start` adds to a mock. */
export interface StartOptions
  extends Partial<Pick<TenantsOptions, "demoClients" | "isReached" | "likeHost" | "savedPeople" | "now">> {
  /** Keeps the records of the mock and its tenants, and the signing keys. The caller closes it. Absent: memory. */
  readonly store?: Store | undefined;
}

/** A mock with the members that only the control plane and the dashboard use. */
export interface StartedMock {
  readonly mock: Mock;
  /** Finds the open tenant whose issuer is at the longest beginning of this path: the mock itself, if there is no other. */
  at(path: string): RunningTenant;
  partsOf(tenant: Tenant): RunningTenant;
  readonly snapshots: Snapshots;
  readonly listensAt: string | undefined;
  /** Adds a dashboard. Throws if the mock is closed, or has one. The result removes the dashboard. */
  attach(dashboard: MockDashboard): () => void;
}

interface MockDashboard {
  /** Answers the requests to its pages. Returns `undefined` for any other request. */
  answer(request: IncomingRequest): Promise<Answer> | undefined;
  frame(tenant: RunningTenant): Promise<Frame>;
  close(): Promise<void> | void;
}

const startedMock = Symbol("the parts of a mock");

/** Returns `undefined` for an object that `createMock` has not returned. */
export function findStarted(mock: object): StartedMock | undefined {
  return Reflect.get(mock, startedMock) as StartedMock | undefined;
}

/** Creates the mock of `postern start --control`. */
// deno-lint-ignore require-await -- an async function, so that wrong options reject instead of throwing
export async function createStartedMock(
  options: MockOptions = {},
  { store, ...terms }: StartOptions = {},
): Promise<StartedMock> {
  if (store === undefined) return assembleMock(options, terms);
  return assembleMock(options, {
    ...terms,
    createRecords: (ownName) => createLastingRecords(store, ownName),
  });
}

interface AssemblyOptions extends Omit<StartOptions, "store"> {
  /** `ownName` is the name of the mock itself, if its issuer is beside those of its tenants. */
  readonly createRecords?: (ownName: string | undefined) => Records;
}

interface Parts {
  readonly options: MockOptions;
  readonly issuer: MovableIssuer;
  readonly answer: Mock["answer"];
  readonly fetching: ServingFetch;
  readonly tenants: Tenants;
  readonly ports: Ports;
  /** The APIs and the other server, which have other origins or other paths. */
  readonly apis: Apis;
  readonly interceptions: Interceptions;
  readonly claimedHosts: ClaimedHosts;
  readonly attached: Attached;
  readonly snapshots: Snapshots;
  readonly platforms: Map<WorkloadPlatform, RunningPlatform>;
}

interface Attached {
  current: MockDashboard | undefined;
}

function assembleMock(options: MockOptions, terms: AssemblyOptions = {}): StartedMock {
  requireMockOptions("create mock", options);
  const parts = createParts(options, terms);
  // Copies the getters and not their values, because the issuer changes when the mock starts to listen.
  const mock = Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(parts.tenants.root.tenant),
    ...Object.getOwnPropertyDescriptors(createCalls(parts)),
  }) as Mock;
  const started: StartedMock = {
    mock,
    at: (path) => findTenant(path, parts.tenants),
    partsOf: (tenant) => parts.tenants.all.find((each) => each.tenant === tenant) ?? parts.tenants.root,
    snapshots: parts.snapshots,
    get listensAt() {
      return parts.ports.origin;
    },
    attach: (dashboard) => attach(dashboard, parts),
  };
  // Not part of the public type, and not enumerable, because the parts may still change.
  Object.defineProperty(mock, startedMock, { value: started });
  return started;
}

function attach(dashboard: MockDashboard, { tenants, attached }: Parts): () => void {
  tenants.root.context.requireOpen();
  if (attached.current !== undefined) throw new Error("The mock has a dashboard already");
  attached.current = dashboard;
  return () => attached.current = undefined;
}

function findTenant(path: string, { open, root }: Tenants): RunningTenant {
  const pathOfTenant = ({ context: { services: { settings } } }: RunningTenant) => settings.basePath;
  return open.filter((each) => `${path}/`.startsWith(`${pathOfTenant(each)}/`))
    .sort((left, right) => pathOfTenant(right).length - pathOfTenant(left).length)[0] ?? root;
}

function createParts(
  options: MockOptions,
  { createRecords = () => recordsInMemory, now = () => Date.now() / 1000, ...started }: AssemblyOptions,
): Parts {
  const attached: Attached = { current: undefined };
  const profile = findProfile(options.paths);
  const { issuerPath = "" } = profile;
  const issuer = createMovableIssuer(
    options.issuer ?? usualIssuer + issuerPath,
    profile.namesIssuers === true,
  );
  const interceptions = createInterceptions();
  const claimedHosts = createClaimedHosts(
    (origin) => origin === issuer.place.origin || options.also?.includes(origin) === true,
    interceptions.requireFree,
  );
  const resources = createResources({
    issuerOrigin: () => issuer.place.origin,
    otherOrigins: options.also ?? [],
    findServer: (url) => tenants.open.find(({ tenant }) => tenant.issuer === url)?.context,
    findProvider: (origin) => findOwner(origin, tenants, claimedHosts)?.context,
    findServed: (isWanted) => tenants.open.flatMap(listPaths).find(isWanted),
    requireFree: interceptions.requireFree,
  });
  const otherServer = createOtherServer({
    issuerOrigin: () => issuer.place.origin,
    isOn: () => tenants.open.some(({ context }) => context.misbehaviours.needsOtherServer),
    services: () => tenants.root.context.services,
    note(entry) {
      for (const { context } of tenants.open) context.misbehaviours.note(entry, "decoy");
    },
  });
  const answer = async (request: IncomingRequest) => {
    const { origin } = request.address;
    const owner = isInProcess(request) ? findOwner(origin, tenants, claimedHosts) : undefined;
    return await (owner?.context.answer(request) ?? answerOwn(request));
  };
  const answerOwn = async (request: IncomingRequest) =>
    await (otherServer.owns(request.address)
      ? otherServer.answer(request)
      : answerPage(request, tenants, attached) ?? answerApi(request, tenants, resources) ??
        tenants.answer(request));
  const apis = joinApis(resources, otherServer);
  const fetching = createFetch({
    origins: () => [issuer.place.origin, ...options.also ?? []],
    moreOrigins: () => [...listOtherPorts(tenants), ...claimedHosts.origins],
    answer,
    apis,
    fetchOther: (request) => (options.fetch ?? globalThis.fetch)(request),
  });
  const records = createRecords(profile.namesIssuers ? issuer.place.ownName ?? "" : undefined);
  const tenants = createTenants({
    ...started,
    options,
    issuer,
    profile,
    now,
    fetch: fetching.fetch,
    findKeys: (url) => publishesKeys(url, tenants) ? fetching.fetch : undefined,
    resources,
    claimedHosts,
    frame: (running) => attached.current?.frame(running),
    records,
  });
  const ports = createPorts({
    answer,
    answerAny: async (request) => {
      const { origin } = request.address;
      const api = apis.find(request.address, request.method);
      return await (api === undefined
        ? answer(changeRequest(request, { peer: undefined }))
        : answerIncoming(request, origin, api.answer));
    },
    signsWithTestKeys: options.signingKeys?.some(isTestKey) ?? true,
    requireOpen: tenants.root.context.requireOpen,
  });
  return {
    options,
    issuer,
    answer,
    fetching,
    tenants,
    ports,
    apis,
    interceptions,
    claimedHosts,
    attached,
    snapshots: createSnapshots(tenants, records.areShared),
    platforms: new Map(),
  };
}

/** Finds the tenant that answers for a host of a provider. */
function findOwner(
  origin: string,
  tenants: Tenants,
  claimedHosts: ClaimedHosts,
): RunningTenant | undefined {
  const claimed = claimedHosts.find(origin);
  return claimed && tenants.open.find(({ name }) => name === claimed.tenant);
}

/** Answers a request to a page of the dashboard, which is at no other port. */
function answerPage(
  request: IncomingRequest,
  tenants: Tenants,
  { current }: Attached,
): Promise<Answer> | undefined {
  if (current === undefined) return undefined;
  const isAtOtherPort = tenants.open.some(({ context: { services } }) =>
    findAtOtherPort(request.address, services.settings) !== undefined
  );
  if (isAtOtherPort) return undefined;
  const answering = current.answer(request);
  return request.method === "HEAD" ? answering?.then(withoutBody) : answering;
}

/** Lets `fetch` answer for the other server, too. */
function joinApis(resources: Resources, otherServer: OtherServer): Apis {
  const answer = (request: Request) => otherServer.answer(fromRequest(request, undefined));
  return {
    get origins() {
      return otherServer.isOn ? new Set([...resources.origins, ...otherServer.origins]) : resources.origins;
    },
    find: (address, method) => otherServer.owns(address) ? { answer } : resources.find(address, method),
  };
}

/** Whether the URL has the keys of the mock or of one of its tenants, which then trust one another without a network. */
function publishesKeys({ origin, pathname }: URL, { open }: Tenants): boolean {
  return open.some(({ context: { services: { slots, settings } } }) =>
    origin === new URL(settings.issuer).origin &&
    slots.endpoints.some((endpoint) =>
      endpoint.metadataName === "jwks_uri" && pathOf(endpoint, settings) === pathname
    )
  );
}

function listPaths({ context: { services: { slots, settings } } }: RunningTenant): readonly string[] {
  return [...slots.endpoints, { path: assetsPath }].map((endpoint) => fixedPath(pathOf(endpoint, settings)));
}

/** Answers a request to an API at the origin of the issuer, which all names of the server and its port reach. */
function answerApi(
  request: IncomingRequest,
  { root: { context } }: Tenants,
  resources: Resources,
): Promise<Answer> | undefined {
  if (resources.origins.size === 0) return undefined;
  const { method, address } = request;
  const { settings } = context.services;
  if (!isOwnHost(address, settings)) return undefined;
  const api = resources.find({ origin: new URL(settings.issuer).origin, path: address.path }, method);
  return api && answerIncoming(request, originFor({ request }, settings), api.answer);
}

/** The methods that a mock has in addition to those of a tenant, or that cover all of its tenants. */
type MockCalls =
  & Omit<Mock, keyof Tenant>
  & Pick<Tenant, "authorize" | "authorizeForm" | "reset" | "close" | typeof Symbol.asyncDispose>;

function createCalls(parts: Parts): MockCalls {
  const { answer, tenants, snapshots, fetching: { dispatcher } } = parts;
  const { requireOpen } = tenants.root.context;
  let closing: Promise<void> | undefined;
  const close = () => closing ??= closeAll(parts);
  return {
    answer,
    dispatcher,
    authorize: (url, terms) => tenantOf(url, parts).authorize(url, terms),
    authorizeForm: (url, terms) => tenantOf(url, parts).authorizeForm(url, terms),
    intercept(terms = {}) {
      requireOpen();
      requireKnownOptions("intercept", terms, interceptOptions);
      return intercept(terms, parts);
    },
    async listen(terms = {}) {
      requireOpen();
      requireKnownOptions("listen", terms, listenOptions);
      return await listen(terms, parts);
    },
    get tenants() {
      return tenants.open.map(({ name }) => name).filter((name) => name !== "");
    },
    tenant(name, options = {}) {
      requireOpen();
      return tenants.obtain(name, options);
    },
    async workload(platform, workloadOptions = {}) {
      requireOpen();
      const { workload } = await import("./workloads/workload.ts");
      return await workload(platform, workloadOptions, parts);
    },
    snapshot: snapshots.take,
    restore: snapshots.restore,
    reset() {
      requireOpen();
      for (const { tenant } of tenants.open) tenant.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Finds the tenant of a URL. Returns the mock itself for any other URL, so that the mock refuses foreign URLs. */
function tenantOf(url: string | URL, { issuer, tenants, claimedHosts }: Parts): Tenant {
  const parsed = URL.canParse(`${url}`) ? new URL(url) : undefined;
  const owner = parsed && findOwner(parsed.origin, tenants, claimedHosts);
  if (owner !== undefined) return owner.tenant;
  const found = parsed?.origin === issuer.place.origin ? tenants.at(parsed.pathname) : tenants.root;
  return found.tenant;
}

function listOtherPorts({ open }: Tenants): readonly string[] {
  return open.flatMap(({ context: { services: { settings: { otherPort } } } }) =>
    otherPort === undefined ? [] : [...otherPort.urls.values()].map((url) => new URL(url).origin)
  );
}

function intercept(
  { node, onUnhandled }: InterceptTerms,
  { options, issuer, fetching: { fetch }, tenants, ports, apis, interceptions, claimedHosts }: Parts,
): Disposable {
  if (ports.areMoving) throw new Error("Cannot intercept while listen() moves the issuer: await it first");
  const own = [issuer.place.origin, ...options.also ?? [], ...listOtherPorts(tenants)];
  const origins = () => new Set([...apis.origins, ...own, ...claimedHosts.origins]);
  return interceptions.start({
    origins,
    fetch,
    onUnhandled: onUnhandled ?? options.onUnhandled,
    connect: node ? ports.connect : undefined,
  });
}

async function listen(terms: ListenTerms, parts: Parts): Promise<Listening> {
  const { options, issuer, ports, interceptions } = parts;
  if (options.issuer !== undefined) return await ports.open(terms);
  ports.requireNone();
  if (interceptions.areActive) {
    throw new Error(
      `listen() would change the issuer ${issuer.url}, which is intercepted. Listen first, or give ` +
        "createMock({ issuer })",
    );
  }
  const { issuerPath = "" } = findProfile(options.paths);
  return await ports.open(terms, (origin) => moveTo(origin + issuerPath, parts));
}

/** Changes the issuer. If a tenant's options are invalid with the new issuer, restores the old issuer and throws. */
function moveTo(next: string, parts: Parts): void {
  const { issuer, tenants } = parts;
  const before = issuer.url;
  issuer.moveTo(next);
  try {
    for (const { rebuild } of tenants.open) rebuild();
  } catch (cause) {
    moveTo(before, parts);
    throw new TypeError(
      `Cannot listen at ${next}, because the options are invalid with this issuer: give createMock({ issuer })`,
      { cause },
    );
  }
}

async function closeAll({ fetching, tenants, ports, interceptions, attached }: Parts): Promise<void> {
  const { all } = tenants;
  const dashboard = attached.current;
  attached.current = undefined;
  // A port closes after its open requests, so the gates and delays that hold requests end first.
  for (const { stop } of all) stop();
  interceptions.end();
  await Promise.all([dashboard?.close(), ports.close()]);
  try {
    await Promise.all(all.map(({ tenant }) => tenant.close()));
  } finally {
    fetching.releaseProcess();
  }
}
