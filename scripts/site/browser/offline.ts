/**
 * The service worker of the site. It keeps the site, so that people can read it offline. Online, every answer comes from
 * the file server. It is also the server of *Try it here*: a page has one worker, and two with one scope would replace each
 * other. So this one loads `postern-worker.js`, which answers below the path of its issuer only.
 */
/// <reference lib="webworker" />

declare const self: ServiceWorkerGlobalScope;
/** Changes with each file of the site. The build puts both values in. */
declare const siteVersion: string;
declare const siteFiles: readonly string[];

// First, because the first listener that answers a request ends its way through the others.
importScripts("postern-worker.js");

const scope = self.registration.scope;
const prefix = `postern-site ${scope} `;
const own = prefix + siteVersion;

self.addEventListener("install", (event) => event.waitUntil(keep()));
self.addEventListener("activate", (event) => event.waitUntil(forget()));
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method === "GET" && request.url.startsWith(scope)) event.respondWith(answer(request));
});

async function keep(): Promise<void> {
  const cache = await caches.open(own);
  await cache.addAll(siteFiles.map((path) => new Request(new URL(path, scope), { cache: "no-cache" })));
  await self.skipWaiting();
}

/** Removes what earlier versions kept. */
async function forget(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(
    names.filter((name) => name.startsWith(prefix) && name !== own).map((name) => caches.delete(name)),
  );
  await self.clients.claim();
}

async function answer(request: Request): Promise<Response> {
  try {
    return await fetch(request);
  } catch (error) {
    const url = new URL(request.url);
    if (url.pathname.endsWith("/")) url.pathname += "index.html";
    const cache = await caches.open(own);
    const kept = await cache.match(url, { ignoreSearch: true }) ??
      // Some file servers leave the ending out.
      await cache.match(`${url.origin}${url.pathname}.html`);
    if (kept === undefined) throw error;
    return kept;
  }
}
