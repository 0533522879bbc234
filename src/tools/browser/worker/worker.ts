/** The service worker that answers for an issuer. It is a classic worker: `deno task build` makes postern-worker.js of it. */

import { type Answer, toResponse } from "../../../ground/http/message.ts";
import { StoreUnavailable } from "../../../server/store/store.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { answerUnavailable } from "./unavailable.ts";
import { isOfIssuer } from "../is_of_issuer.ts";
import { issuerParameter } from "./worker_paths.ts";
import type { RunningServer } from "./running_server.ts";

/** The part of `ServiceWorkerGlobalScope` that this file uses. The library of types for pages does not have it. */
interface WorkerScope {
  readonly location: Location;
  readonly clients: { claim(): Promise<void> };
  skipWaiting(): Promise<void>;
  addEventListener(type: "install" | "activate", listener: (event: Lasting) => void): void;
  addEventListener(type: "message", listener: (event: Lasting & MessageEvent) => void): void;
  addEventListener(type: "fetch", listener: (event: Fetching) => void): void;
}

interface Lasting {
  waitUntil(work: Promise<unknown>): void;
}

interface Fetching extends Lasting {
  readonly request: Request;
  respondWith(answer: Promise<Response>): void;
}

const openServer = lazy(async () => (await import("./running_server.ts")).openServer);

function answerFetches(scope: WorkerScope): void {
  const { origin, searchParams } = new URL(scope.location.href);
  const issuer = origin + (searchParams.get(issuerParameter) ?? "/idp");
  let opening: Promise<RunningServer> | undefined;

  async function answer(request: Request): Promise<Answer> {
    try {
      opening ??= openServer(issuer);
      return await (await opening).answer(request);
    } catch (error) {
      // The next request opens the store again.
      opening = undefined;
      if (error instanceof StoreUnavailable) return answerUnavailable(request, error);
      throw error;
    }
  }

  // Both workers have the same records, so a new one may take over between two requests.
  scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
  // A page that was loaded past the worker asks for it.
  scope.addEventListener("message", (event) => {
    event.waitUntil(scope.clients.claim().then(() => event.ports[0]?.postMessage("claimed")));
  });
  scope.addEventListener("fetch", (event) => {
    if (!isOfIssuer(new URL(event.request.url), new URL(issuer))) return;
    event.respondWith(answer(event.request).then(toResponse));
  });
}

answerFetches(globalThis as unknown as WorkerScope);
