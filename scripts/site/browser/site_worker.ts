/** The address of the one service worker of the site, which keeps the site and is the server of *Try it here*. */
/// <reference lib="dom" />
import { issuerParameter } from "../../../src/tools/browser/worker/worker_paths.ts";
import { rootUrl } from "./root_url.ts";

/** `startWorker()` adds the path of the issuer in the same way: two addresses would be two workers. */
export function findWorker(): URL {
  const script = new URL(rootUrl("offline.js"), document.baseURI);
  script.searchParams.set(issuerParameter, new URL("idp", script).pathname);
  return script;
}
