/**
 * A mock is an authorization server inside a test. It can have tenants, which are further authorization servers.
 *
 * `createMock` gathers what a mock consists of (`create_running_mock.ts`) and creates the mock itself as its first tenant
 * (`create_tenant.ts`), whose server is assembled from the options (`server/assemble_server.ts`). Then each request goes:
 *
 * 1. in at an entrance (`network/`). `fetch`, `dispatcher` and interceptions first ask whether the other server of a
 *    misbehaviour, or an API or a route of the test, is at its address. `answer` and ports go on at once;
 * 2. to the one who answers (`route_request.ts`): at the host of a provider the tenant that looks like it, the other server, the
 *    dashboard, an API or a route at the origin of the issuer, or a tenant, which the request may begin (`tenants.ts`);
 * 3. in the tenant past its gates (`server/answer_past_gates.ts`) to the server that answers now, at the host of a provider
 *    to one with another face (`provider/face.ts`). A change of options or a reset replaces it (`server/serving.ts`);
 * 4. in the server past its seams, where hooks come first and misbehaviours after them (`misbehaving/active_list.ts`);
 * 5. into the journal (`journal/recorder.ts`), from where verdicts judge the client, and back to its sender.
 *
 * Three records own all this: `RunningMock` what the tenants have in common, `RunningTenant` what one of them has, and
 * `AssembledServer` what one set of options makes.
 */

import type { Answer, IncomingRequest } from "../../ground/http/message.ts";
import { createRunningMock, type RunningMockTerms } from "./create_running_mock.ts";
import { listen } from "./listen.ts";
import type { MockDispatcher } from "./network/dispatcher.ts";
import type { InterceptTerms } from "./network/interceptions.ts";
import type { Listening, ListenTerms } from "./network/listening.ts";
import { addParts } from "./mock_parts.ts";
import { stopTenant } from "./tenant_lifetime.ts";
import { routeRequest } from "./route_request.ts";
import type { RunningMock, Snapshot } from "./running_mock.ts";
import { restoreSnapshot, takeSnapshot } from "./snapshots.ts";
import type { Tenant } from "./tenant.ts";
import { createOwn, findOrCreate, listAll, listOpen, obtainTenant } from "./tenants.ts";
import { requireTerms, types } from "./terms/known_options.ts";
import { type MockOptions, requireMockOptions } from "./terms/mock_options.ts";
import type { WorkloadPlatform } from "./workloads/names.ts";
import type { Workload } from "./workloads/workload.ts";
import type { WorkloadTerms } from "./workloads/workload_terms.ts";

/** An authorization server inside a test. `fetch`, `authorize`, `reset` and `close` also cover its tenants. */
export interface Mock extends Tenant {
  /**
   * Answers a request like `fetch`, but takes and returns plain values, which are faster on Node than `Request`. It finds
   * APIs and routes of the test at the origin of the issuer only.
   */
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
   * of its own, with its own people, clients, grants, sessions, clock and journal. It inherits the options of the mock that
   * `options` does not set, also its people and clients. All tenants share the addresses of the APIs of the test and the
   * default test signing keys.
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

/** Creates an authorization server inside a test. It needs no port and no configuration. */
// deno-lint-ignore require-await -- an async function, so that wrong options reject instead of throwing
export async function createMock(options: MockOptions = {}): Promise<Mock> {
  return startMock(options, {}).mock;
}

/** Creates a mock with the parts of it that the tools need. */
export function startMock(options: MockOptions, start: RunningMockTerms): RunningMock<Mock> {
  requireMockOptions("create mock", options);
  const mock = createRunningMock(options, start);
  // Copies the getters and not their values, because the issuer changes when the mock starts to listen.
  const publicMock = Object.defineProperties({}, {
    ...Object.getOwnPropertyDescriptors(mock.root.tenant),
    ...Object.getOwnPropertyDescriptors(createCalls(mock)),
  }) as Mock;
  const started = Object.assign(mock, { mock: publicMock });
  addParts(publicMock, started);
  return started;
}

/** The methods that a mock has in addition to those of a tenant, or that cover all of its tenants. */
type MockCalls =
  & Omit<Mock, keyof Tenant>
  & Pick<Tenant, "authorize" | "authorizeForm" | "reset" | "close" | typeof Symbol.asyncDispose>;

function createCalls(mock: RunningMock): MockCalls {
  const { root: { requireOpen }, fetching: { dispatcher } } = mock;
  let closing: Promise<void> | undefined;
  const close = () => closing ??= closeAll(mock);
  return {
    answer: (request) => routeRequest(request, mock),
    dispatcher,
    authorize: (url, terms) => tenantOf(url, mock).authorize(url, terms),
    authorizeForm: (url, terms) => tenantOf(url, mock).authorizeForm(url, terms),
    intercept(terms = {}) {
      requireOpen();
      requireTerms("intercept", terms, types.InterceptTerms);
      return intercept(terms, mock);
    },
    async listen(terms = {}) {
      requireOpen();
      requireTerms("listen", terms, types.ListenTerms);
      return await listen(terms, mock);
    },
    get tenants() {
      return listOpen(mock).map(({ name }) => name).filter((name) => name !== "");
    },
    tenant(name, options = {}) {
      requireOpen();
      return obtainTenant(name, options, mock);
    },
    async workload(platform, workloadOptions = {}) {
      requireOpen();
      const { workload } = await import("./workloads/workload.ts");
      const { options, root, platforms } = mock;
      return await workload(platform, workloadOptions, {
        options,
        root,
        platforms,
        createOwn: (name, own) => createOwn(name, own, mock),
      });
    },
    snapshot: () => takeSnapshot(mock),
    restore: (snapshot) => restoreSnapshot(snapshot, mock),
    reset() {
      requireOpen();
      for (const { tenant } of listOpen(mock)) tenant.reset();
    },
    close,
    [Symbol.asyncDispose]: close,
  };
}

/** Finds the tenant of a URL. Returns the mock itself for any other URL, so that the mock refuses foreign URLs. */
function tenantOf(url: string | URL, mock: RunningMock): Tenant {
  const { issuer: { place }, root } = mock;
  const parsed = URL.canParse(`${url}`) ? new URL(url) : undefined;
  if (parsed === undefined) return root.tenant;
  const own = () => parsed.origin === place.origin ? findOrCreate(parsed.pathname, mock) : root;
  return (mock.providerAt(parsed.origin) ?? own()).tenant;
}

async function closeAll(mock: RunningMock): Promise<void> {
  const { fetching, ports, interceptions, dashboard } = mock;
  const all = listAll(mock);
  mock.dashboard = undefined;
  // A port closes after its open requests, so the gates and delays that hold requests end first.
  for (const each of all) stopTenant(each, mock);
  interceptions.end();
  await Promise.all([dashboard?.close(), ports.close()]);
  try {
    await Promise.all(all.map(({ tenant }) => tenant.close()));
  } finally {
    fetching.releaseProcess();
  }
}

/** Replaces the global `fetch` for the origins of the mock, its APIs and the providers that it looks like. */
function intercept(
  { node, onUnhandled }: InterceptTerms,
  mock: RunningMock,
): Disposable {
  const { options, fetching: { fetch }, ports, apis, interceptions, ownOrigins } = mock;
  if (ports.areMoving) throw new Error("Cannot intercept while listen() moves the issuer: await it first");
  const origins = () => new Set([...apis.origins, ...ownOrigins.all]);
  return interceptions.start({
    origins,
    fetch,
    onUnhandled: onUnhandled ?? options.onUnhandled,
    connect: node ? ports.connect : undefined,
  });
}
