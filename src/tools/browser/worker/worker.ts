/** The service worker that answers for an issuer. It is a classic worker: `deno task build` makes postern-worker.js of it. */

import type { FetchAnswer } from "./answer_fetch.ts";
import { lazy } from "../../../ground/values/lazy.ts";
import { isOfIssuer } from "../is_of_issuer.ts";
import { issuerParameter } from "./worker_paths.ts";

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

function answerFetches(scope: WorkerScope): void {
  const { origin, searchParams } = new URL(scope.location.href);
  const issuer = origin + (searchParams.get(issuerParameter) ?? "/idp");
  // A worker that has nothing to answer does not load the server.
  let loaded: FetchAnswer | undefined;
  const load = lazy(async () => {
    const { createFetchAnswer } = await import("./answer_fetch.ts");
    const answering = loaded = createFetchAnswer(issuer);
    return () => answering;
  });

  // Both workers have the same records, so a new one may take over between two requests.
  scope.addEventListener("install", (event) => event.waitUntil(scope.skipWaiting()));
  scope.addEventListener("activate", (event) => event.waitUntil(scope.clients.claim()));
  // A page that was loaded past the worker asks for it.
  scope.addEventListener("message", (event) => {
    event.waitUntil(scope.clients.claim().then(() => event.ports[0]?.postMessage("claimed")));
  });
  scope.addEventListener("fetch", (event) => {
    const { request } = event;
    const url = new URL(request.url);
    const looksLike = loaded?.looksLike(request.url);
    if (looksLike || isOfIssuer(url, new URL(issuer))) {
      event.respondWith(load().then(({ answer }) => answer(request)));
    } else if (looksLike === undefined && request.mode === "cors" && url.origin !== origin) {
      // Only its records say which providers the server looks like.
      event.respondWith(load().then(({ answerOrPass }) => answerOrPass(request)));
    }
  });
}

answerFetches(globalThis as unknown as WorkerScope);
