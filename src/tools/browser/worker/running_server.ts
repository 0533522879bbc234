/** The mock of a service worker with its control plane, over the store that outlives the worker. */

import project from "../../../../deno.json" with { type: "json" };
import { createStartedMock } from "../../../kit/mock/started_mock.ts";
import type { MockOptions } from "../../../kit/mock/terms/mock_options.ts";
import { type Answer, type IncomingRequest, withoutBody } from "../../../ground/http/message.ts";
import { json } from "../../../ground/http/respond.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { indexedDbStore } from "../../../server/store/indexed_db.ts";
import { type Kind, never, partOfStore, type Store, StoreUnavailable } from "../../../server/store/store.ts";
import { controlPath } from "../../guard/control_paths.ts";
import { createLateDashboard, isOfDashboard, type LateDashboard } from "./late_dashboard.ts";
import { findCookies, keepCookies } from "./cookies.ts";
import { findSite, toIncoming } from "./incoming.ts";
import { forgetState, restoreState, type StateKeeper } from "./kept_state.ts";
import { statusPath } from "./worker_paths.ts";

/** What a page tells the worker. */
type WorkerOptions = Omit<MockOptions, "issuer">;

const optionsKind: Kind<WorkerOptions> = { name: "options" };

export interface RunningServer {
  answer(request: Request): Promise<Answer>;
  /** Whether the server looks like the provider at this URL. */
  looksLike(url: string): boolean;
}

interface Parts extends StateKeeper {
  answer(request: IncomingRequest): Promise<Answer>;
  control(request: IncomingRequest): Promise<Answer>;
  readonly dashboard: LateDashboard;
  looksLike: RunningServer["looksLike"];
  close(): Promise<void>;
}

/** `issuer` is the URL of the issuer. Its path is not empty. */
export async function openServer(issuer: string): Promise<RunningServer> {
  const basePath = new URL(issuer).pathname.replace(/\/$/, "");
  const { store, takeFailure } = noteFailures(await indexedDbStore(`postern ${basePath}`));
  const own = partOfStore(store, "worker");
  let options = (await own.get(optionsKind, "", 0))?.value ?? {};
  let parts = await createParts(issuer, options, store).catch(async (error) => {
    if (!(error instanceof TypeError)) throw error;
    // An earlier release has kept options that this one refuses. The next page gives new ones.
    await forgetState(own);
    return await createParts(issuer, options = {}, store);
  });

  async function setOptions(next: WorkerOptions): Promise<void> {
    if (JSON.stringify(next) === JSON.stringify(options)) return;
    const before = parts;
    // Throws for wrong options, before something has changed.
    await (await createParts(issuer, next, undefined)).close();
    await own.put(optionsKind, "", next, { now: 0, expiresAt: never });
    await forgetState(own);
    parts = await createParts(issuer, next, store);
    options = next;
    await before.close();
  }

  async function answerStatus(request: Request): Promise<Answer> {
    if (request.method === "PUT") {
      try {
        await setOptions(await request.json() as WorkerOptions);
      } catch (error) {
        if (!(error instanceof TypeError)) throw error;
        return json({ error: "invalid_request", error_description: error.message }, { status: 400 });
      }
    }
    return json({ version: project.version, issuer });
  }

  async function answerControl(request: Request, path: string): Promise<Answer> {
    const isStatus = path === statusPath;
    // A page of another site could navigate to any address, and a script of another origin reaches no worker.
    if (request.mode === "navigate" && !(isStatus && request.method === "GET")) return refuseNavigation();
    if (isStatus) return await answerStatus(request);
    return await parts.control(toIncoming(request, { site: "same-origin", cookie: undefined, path }));
  }

  async function answerOwn(request: Request): Promise<Answer> {
    const isAtProvider = parts.looksLike(request.url);
    const site = isAtProvider ? "cross-site" : findSite(request);
    const cookie = await findCookies(request, site, own);
    const incoming = toIncoming(request, { site, cookie });
    const isForPeople = !isAtProvider && isOfDashboard(new URL(request.url).pathname.slice(basePath.length));
    const answer = await (isForPeople ? parts.dashboard.answer(incoming) : parts.answer(incoming));
    await keepCookies(answer, own);
    return site === "cross-site" ? answer : keepOpener(answer);
  }

  return {
    async answer(request) {
      const path = new URL(request.url).pathname.slice(basePath.length);
      const isControl = `${path}/`.startsWith(`${controlPath}/`) && !parts.looksLike(request.url);
      const answer = await (isControl ? answerControl(request, path) : answerOwn(request));
      await parts.save();
      const failure = takeFailure();
      if (answer.status === 503 && failure !== undefined) throw failure;
      return request.method === "HEAD" ? withoutBody(answer) : answer;
    },
    looksLike: (url) => parts.looksLike(url),
  };
}

/** A page of this site that opens a window for a sign-in would lose it, because static sites have no such policy. */
function keepOpener(answer: Answer): Answer {
  const { "cross-origin-opener-policy": _policy, ...headers } = answer.headers;
  return { ...answer, headers };
}

/** The server itself says only that it is busy. */
function noteFailures(store: Store): { readonly store: Store; takeFailure(): StoreUnavailable | undefined } {
  let failure: StoreUnavailable | undefined;
  const put: Store["put"] = async (kind, id, value, terms) => {
    try {
      return await store.put(kind, id, value, terms);
    } catch (error) {
      if (error instanceof StoreUnavailable) failure = error;
      throw error;
    }
  };
  return {
    store: { ...store, put },
    takeFailure() {
      const last = failure;
      failure = undefined;
      return last;
    },
  };
}

async function createParts(
  issuer: string,
  options: WorkerOptions,
  store: Store | undefined,
): Promise<Parts> {
  const runningMock = await createStartedMock(
    { ...options, issuer },
    store === undefined ? {} : { store: partOfStore(store, "mock") },
  );
  const { mock } = runningMock;
  const keeper = store === undefined
    ? { save: () => Promise.resolve() }
    : await restoreState(runningMock.partsOf(mock), partOfStore(store, "worker"));
  const dashboard = createLateDashboard(runningMock, store && partOfStore(store, "worker"));
  const control = lazy(async () => {
    const { createControl } = await import("../../control/control.ts");
    // The worker has refused every request that is not from a script of its origin.
    const plane = createControl(runningMock, { open: true });
    return (request: IncomingRequest) => plane.answer(request)!;
  });
  return {
    ...keeper,
    answer: (request) => mock.answer(request),
    control,
    dashboard,
    looksLike: (url) => runningMock.providerAt(new URL(url).origin) !== undefined,
    async close() {
      dashboard.close();
      await mock.close();
    },
  };
}

function refuseNavigation(): Answer {
  return json({
    error: "access_denied",
    error_description:
      "The control plane takes no navigation: call it with fetch() from a page of this origin",
  }, { status: 403 });
}
