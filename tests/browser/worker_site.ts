/** A static site with the service worker, the bundle for pages, and client libraries. */

import type { BrowserContext, CDPSession, Page } from "playwright-core";
import { makeBrowserFiles, makeBundle, type Run } from "./in_page.ts";
import { serveSite, type Site } from "./site.ts";
import { browserTest } from "./visit.ts";
import { type ContextOptions, withContext } from "./watched_context.ts";

/** Resolves to the files of the worker, by their paths. */
export async function makeWorker(): Promise<ReadonlyMap<string, string>> {
  const files = [...await makeBrowserFiles()].filter(([name]) => name.startsWith("postern-worker"));
  return new Map(files.map(([name, { text }]) => [name, text]));
}

export interface WorkerSite {
  readonly page: Page;
  readonly context: BrowserContext;
  readonly site: Site;
  readonly origin: string;
  /** The paths that the site itself has answered. */
  readonly served: string[];
  /** Ends the worker, as a browser does when it is idle. */
  stopWorker(): Promise<void>;
  /** Replaces texts of the worker's first file, as a later release does. */
  change(from: string, to: string): void;
}

/** The page at which a frame or a window of oidc-client-ts ends. */
const oidcCallback = `<!doctype html><title>Callback</title><script type="module">
  import "/oidc-client-ts.js";
  const { origin } = location;
  new oidc.UserManager({ authority: origin + "/idp", client_id: "app", redirect_uri: origin + "/oidc_callback" })
    .signinCallback();
</script>`;

/** The page at which the frames and windows of other libraries end. It tells its address to the page of the client. */
const messageCallback =
  "<!doctype html><title>Callback</title><script>(opener ?? parent).postMessage(location.href, origin)</script>";

export interface ServedWorker
  extends AsyncDisposable, Pick<WorkerSite, "site" | "origin" | "served" | "change"> {}

/** Serves the files of the worker, the bundle for pages and the libraries. Every other address has an empty page. */
export async function serveWorker(): Promise<ServedWorker> {
  const [bundle, worker] = await Promise.all([makeBundle(), makeWorker()]);
  const served: string[] = [];
  const changes: [string, string][] = [];
  const site = serveSite(async (_request, path) => {
    served.push(path);
    const file = path.slice(1);
    const text = file === "postern-worker.js"
      ? changes.reduce((text, [from, to]) => text.replace(from, to), worker.get(file)!)
      : worker.get(file) ?? bundle.get(file)?.text ?? await readLibrary(file);
    if (path === "/oidc_callback") return oidcCallback;
    if (path === "/message_callback") return messageCallback;
    if (path === "/orders") {
      return new Response("from the site", { headers: { "access-control-allow-origin": "*" } });
    }
    if (text === undefined) return "<!doctype html><title>A page</title><main></main>";
    return new Response(text, { headers: { "content-type": "text/javascript" } });
  });
  return {
    ...{ site, served, origin: site.sameSite },
    change: (from, to) => void changes.push([from, to]),
    [Symbol.asyncDispose]: () => site[Symbol.asyncDispose](),
  };
}

/** A test with a page of a site that has the files of the worker. */
export function workerTest(
  name: string,
  work: (at: WorkerSite) => Promise<void>,
  { origins = [], ...options }: Partial<ContextOptions> = {},
): void {
  browserTest(name, async (browser) => {
    await using at = await serveWorker();
    const { site, origin } = at;
    await withContext(
      browser,
      { ...options, origins: [origin, site.otherSite, ...origins] },
      async (context) => {
        const page = await context.newPage();
        await page.goto(origin);
        const session = await context.newCDPSession(page);
        await session.send("ServiceWorker.enable");
        await work({ ...at, page, context, stopWorker: () => stopWorker(session) });
      },
    );
  });
}

async function stopWorker(session: CDPSession): Promise<void> {
  await session.send("ServiceWorker.stopAllWorkers");
}

async function readLibrary(file: string): Promise<string | undefined> {
  const path = {
    "oauth4webapi.js": "node_modules/oauth4webapi/build/index.js",
    "oidc-client-ts.js": "node_modules/oidc-client-ts/dist/browser/oidc-client-ts.min.js",
    "auth0-spa-js.js": "node_modules/@auth0/auth0-spa-js/dist/auth0-spa-js.production.esm.js",
    "keycloak-js.js": "node_modules/keycloak-js/lib/keycloak.js",
  }[file];
  // One of the libraries is a classic script.
  return path && await Deno.readTextFile(path) + (file.startsWith("oidc") ? "\nglobalThis.oidc = oidc;" : "");
}

/** Signs alice in at the pages of the server, and approves. */
export async function approve(page: Page): Promise<void> {
  await page.getByRole("button", { name: /Alice/ }).click();
  await page.locator("#approve").click();
}

/** A page of any browser. */
export interface Evaluating {
  evaluate(program: string): Promise<unknown>;
}

/** Runs a program in the page, which has `startWorker` and the other exports of the bundle, and `oauth`. */
export function runWithWorker<Result>(page: Evaluating): Run<Result> {
  return async (program, ...parts) =>
    await page.evaluate(`(async () => {
    const [{ startWorker }, oauth] = await Promise.all([import("/browser.js"), import("/oauth4webapi.js")]);
    const insecure = { [oauth.allowInsecureRequests]: true };
    const client = { client_id: "app" };
    const redirectUri = location.origin + "/callback";
    const redirect_uris = ["/callback", "/oidc_callback", "/message_callback"].map((path) => location.origin + path);
    const options = { clients: [{ client_id: "app", redirect_uris, remember_consent: true }] };
    const discover = async (issuer) => oauth.processDiscoveryResponse(
      new URL(issuer), await oauth.discoveryRequest(new URL(issuer), insecure));
    ${String.raw({ raw: program }, ...parts)}
  })()`) as Result;
}
