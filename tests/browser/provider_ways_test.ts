/** Every look-alike in a page: what the service worker and MSW answer at its hosts, and what `as.window()` shows. */

import { assertEquals, assertMatch } from "@std/assert";
import { listFederationEndpoints } from "../../src/kit/faults/look_alikes/google_federation.ts";
import { lookAlikes } from "../../src/kit/faults/look_alikes/look_alikes.ts";
import { listOrigins } from "../../src/kit/faults/look_alikes/provider_hosts.ts";
import { lookAlikeNames, providers } from "../../src/kit/faults/look_alikes/providers.ts";
import { listKnown } from "../kit/mock/misbehaving/known_addresses.ts";
import { bundlePage } from "./bundle_page.ts";
import { pageTest, runInPage } from "./in_page.ts";
import { runWithWorker, workerTest } from "./worker_site.ts";

/** In a browser, no workload exchanges a token. */
const ofWorkloads = listFederationEndpoints().map(({ url }) => url);

/** An address at each host of each provider, and that of its login. */
const all = lookAlikeNames.map((name) => {
  const { endpoints } = lookAlikes[name].addresses(providers[name].host);
  const known = listKnown(name).filter((url) => !ofWorkloads.includes(url));
  return { name, known, login: endpoints.find(({ is }) => is === "authorize")!.url };
});

const origins = all.flatMap(({ name }) => listOrigins(name));

/** The console tells of the statuses that the test wants. */
const tolerates = /with a status of (?:4\d\d|501) /;

/** What each address answers, and what one beside it does. */
const askAll = `
  const askAll = async (known) => Promise.all(known.map(async (url) => {
    const [first, second] = [await fetch(url, { redirect: "manual" }), await fetch(new URL("/no/such", url))];
    return [first.status !== 501, second.status, (await second.json()).error_description.replace(/.* and/, "and")];
  }));
`;

const answered = [true, 501, "and a test answers others by as.route()"];

const namesAndUrls = JSON.stringify(all);

workerTest(
  "provider ways: the worker answers at the hosts of each look-alike, and passes all others",
  async ({ page, site }) => {
    const result = await runWithWorker<Record<string, unknown>>(page)`
    ${askAll}
    const { control } = await startWorker(options);
    const result = {};
    for (const { name, known } of ${namesAndUrls}) {
      const { id } = await control("POST /look_alikes", { name });
      result[name] = await askAll(known);
      await control("DELETE /look_alikes/" + id);
    }
    const passed = await fetch(${JSON.stringify(site.otherSite)}, { mode: "no-cors" });
    return { ...result, passed: passed.type };
  `;
    const expected = all.map(({ name, known }) => [name, known.map(() => answered)]);
    assertEquals(result, { ...Object.fromEntries(expected), passed: "opaque" });
  },
  { origins, tolerates },
);

workerTest(
  "provider ways: a worker that starts again answers the first request to a look-alike, and passes others",
  async ({ page, stopWorker, site, origin }) => {
    const statusOf = (url: string) =>
      runWithWorker(page)`return (await fetch(${JSON.stringify(url)})).status;`;
    await runWithWorker(
      page,
    )`await (await startWorker(options)).control("POST /look_alikes", { name: "github" });`;
    const answeredByWorker: string[] = [];
    page.on("response", (response) => {
      if (response.fromServiceWorker()) answeredByWorker.push(new URL(response.url()).origin);
    });
    const [ofSite, ofOther] = [`${origin}/orders`, `${site.otherSite}/orders`];
    await stopWorker();
    assertEquals(await statusOf("https://api.github.com/user"), 401);
    assertEquals([await statusOf(ofOther), await statusOf(ofSite)], [200, 200]);
    // By now, it knows its look-alikes, and leaves other requests to the browser.
    assertEquals(answeredByWorker, ["https://api.github.com"]);
    await stopWorker();
    assertEquals([await statusOf(ofSite), await statusOf(ofOther)], [200, 200]);
    assertEquals(answeredByWorker, ["https://api.github.com", site.otherSite]);
    assertEquals(await statusOf("https://github.com/idp/_postern/clock"), 501);
    assertEquals(await statusOf("https://github.com/idp/inspector"), 501);
  },
  { origins, tolerates },
);

workerTest(
  "provider ways: a page logs in at GitHub by the worker, and its requests come from another site",
  async ({ page }) => {
    const result = await runWithWorker<[string, unknown[]]>(page)`
    const { control } = await startWorker({ ...options, lookLike: "github" });
    const verifier = oauth.generateRandomCodeVerifier();
    const url = "https://github.com/login/oauth/authorize?" + new URLSearchParams({ client_id: "app", redirect_uri: redirectUri,
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" });
    const callback = new URL((await control("POST /authorize", { url, username: "alice" })).url);
    const body = new URLSearchParams({ client_id: "app", redirect_uri: redirectUri, code: callback.searchParams.get("code"), code_verifier: verifier });
    const headers = { accept: "application/json" };
    const tokens = await (await fetch("https://github.com/login/oauth/access_token", { method: "POST", headers, body })).json();
    const authorization = "Bearer " + tokens.access_token;
    const { login } = await (await fetch("https://api.github.com/user", { headers: { authorization } })).json();
    const { log } = await control("GET /timeline?form=har");
    const sites = log.entries.filter(({ request }) => request.url.startsWith("https://api."))
      .map(({ request }) => request.headers.find(({ name }) => name === "sec-fetch-site")?.value);
    return [login, sites];
  `;
    assertEquals(result, ["alice", ["cross-site"]]);
  },
  { origins, tolerates },
);

pageTest("provider ways: as.window() shows the login of each look-alike, at its host", async ({ page }) => {
  const result = await runInPage<Record<string, unknown>>(page)`
    const redirect_uri = "https://app.test/callback";
    const people = [{ username: "alice" }];
    await using as = await createMock({ people, clients: [{ client_id: "app", client_secret: "the secret of it", redirect_uris: [redirect_uri] }] });
    const find = (selector) => document.querySelector("iframe")?.contentDocument?.querySelector(selector);
    const click = async (selector) => {
      for (;;) {
        const button = find(selector);
        if (button) return button.click();
        await new Promise((done) => setTimeout(done, 5));
      }
    };
    const result = {};
    for (const { name, login } of ${namesAndUrls}) {
      as.lookLike(name);
      const url = new URL(login);
      url.search = new URLSearchParams({ client_id: "app", redirect_uri, response_type: "code", state: name, response_mode: "query",
        code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" });
      const opening = as.window(url);
      const ended = opening.then(() => {}, () => {});
      await Promise.race([click("button[value=alice]"), ended]);
      const shown = document.querySelector("dialog span")?.textContent;
      await Promise.race([click("#approve"), ended]);
      const { origin, searchParams } = await opening;
      result[name] = [shown, origin, searchParams.has("code"), searchParams.get("state")];
      as.reset();
    }
    as.tenant("acme").lookLike("github");
    const refused = as.window("https://github.com/login/oauth/authorize?client_id=unknown").catch(({ reason }) => reason);
    await click("#close");
    const reason = await refused;
    as.reset();
    const gone = await as.window("https://github.com/login/oauth/authorize").catch(({ message }) => message);
    as.lookLike("github", { client: "app" });
    as.clients.add({ client_id: "other", redirect_uris: [redirect_uri] });
    as.lookLike("google", { client: "other" });
    const foreign = await as.window("https://gitlab.com/oauth/authorize").catch(({ message }) => message);
    return { ...result, reason, gone, foreign };
  `;
  const { reason, gone, foreign, ...shown } = result;
  assertEquals(reason, "client_unknown");
  const expected = all.map(({ name, login }) =>
    [name, [new URL(login).origin, "https://app.test", true, name]] as const
  );
  assertEquals(shown, Object.fromEntries(expected));
  assertMatch(`${gone}`, /authorize: expected a URL of https:\/\/as\.test$/);
  assertMatch(
    `${foreign}`,
    /of https:\/\/as\.test or https:\/\/github\.com or https:\/\/api\.github\.com or https:\/\/accounts\./,
  );
});

let libraries: Promise<string> | undefined;

function findFile(path: string): Promise<string> | undefined {
  if (path === "/mockServiceWorker.js") return Deno.readTextFile("node_modules/msw/lib/mockServiceWorker.js");
  if (path !== "/libraries.js") return undefined;
  return libraries ??= bundlePage(`
    export { http } from "msw";
    export { setupWorker } from "msw/browser";
  `);
}

pageTest(
  "provider ways: MSW answers the plain fetch at the hosts of each look-alike",
  async ({ page, site }) => {
    const result = await runInPage<Record<string, unknown>>(page)`
    ${askAll}
    const { http, setupWorker } = await import("/libraries.js");
    const { mockHandlers } = await import("/msw.js");
    await using as = await createMock();
    await setupWorker(...mockHandlers(as, http)).start({ quiet: true, onUnhandledFrame: "bypass" });
    const result = {};
    for (const { name, known } of ${namesAndUrls}) {
      using like = as.lookLike(name);
      result[name] = await askAll(known);
    }
    const passed = await fetch(${JSON.stringify(site.otherSite)}, { mode: "no-cors" });
    return { ...result, passed: passed.type };
  `;
    const expected = all.map(({ name, known }) => [name, known.map(() => answered)]);
    assertEquals(result, { ...Object.fromEntries(expected), passed: "opaque" });
  },
  { findFile, origins, tolerates },
);
