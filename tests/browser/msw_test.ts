/** The handlers for MSW in a page that has MSW's own worker: foreign clients sign in with the plain fetch. */

import { assertEquals, assertMatch } from "@std/assert";
import { bundlePage } from "./bundle_page.ts";
import { findProgram } from "./documented_programs.ts";
import { type PageOfTest, pageTest, runInPage } from "./in_page.ts";

let libraries: Promise<string> | undefined;

function findFile(path: string): Promise<string> | undefined {
  if (path === "/mockServiceWorker.js") return Deno.readTextFile("node_modules/msw/lib/mockServiceWorker.js");
  if (path === "/idp/oauth2/authorize") return Promise.resolve("<!doctype html>no server is here");
  if (path === "/orders") return Promise.resolve("<!doctype html>from the site");
  if (path !== "/libraries.js") return findProgram(path);
  return libraries ??= bundlePage(`
    export { http, HttpResponse } from "msw";
    export { setupWorker } from "msw/browser";
    export { OidcClient, User, UserManager } from "oidc-client-ts";
  `);
}

const start = `
  const { http, HttpResponse, setupWorker } = await import("/libraries.js");
  const { mockHandlers } = await import("/msw.js");
  const people = [{ username: "alice", claims: { name: "Alice Adams" } }];
  async function startWorker(as, ...others) {
    const worker = setupWorker(...mockHandlers(as, http), ...others);
    await worker.start({ quiet: true, onUnhandledFrame: "bypass" });
  }
`;

function mswTest(name: string, work: (at: PageOfTest) => Promise<void>): void {
  // The worker answers for both. No server has these names.
  pageTest(`msw: ${name}`, work, { findFile, origins: ["https://as.test", "https://api.test"] });
}

mswTest("oauth4webapi signs in with the plain fetch, and other requests go on", async ({ page }) => {
  const result = await runInPage(page)`
    ${start}
    const redirect_uri = "https://app.test/callback", client = { client_id: "app" };
    await using as = await createMock({ people, clients: [{ ...client, redirect_uris: [redirect_uri] }] });
    await startWorker(as, http.get("https://api.test/orders", () => HttpResponse.json(["from a handler"])));

    const issuer = new URL(as.issuer);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer));
    const verifier = oauth.generateRandomCodeVerifier();
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({ ...client, redirect_uri, response_type: "code", scope: "openid profile",
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" });
    const params = oauth.validateAuthResponse(server, client, await as.authorize(url, { as: "alice" }));
    const tokens = await oauth.processAuthorizationCodeResponse(server, client,
      await oauth.authorizationCodeGrantRequest(server, client, oauth.None(), params, redirect_uri, verifier));
    const { sub } = oauth.getValidatedIdTokenClaims(tokens);
    const userinfo = await oauth.processUserInfoResponse(server, client, sub,
      await oauth.userInfoRequest(server, client, tokens.access_token));
    return [
      userinfo.name,
      as.requests.map(({ endpoint }) => endpoint).join(" "),
      await (await fetch("https://api.test/orders")).json(),
      await (await fetch("/orders")).text(),
    ];
  `;
  assertEquals(result, [
    "Alice Adams",
    "metadata authorize token userinfo",
    ["from a handler"],
    "<!doctype html>from the site",
  ]);
});

mswTest("a mock at the whole origin of the page is refused", async ({ page }) => {
  const said = await runInPage<string>(page)`
    ${start}
    await using as = await createMock({ issuer: location.origin });
    try { mockHandlers(as, http); } catch (error) { return error.message; }
  `;
  assertMatch(
    said,
    /^Cannot answer for all of (http:\/\/localhost:\d+), which has this page: give createMock\(\{ issuer: "\1\/idp" \}\)$/,
  );
});

/** A user of oidc-client-ts who is signed in. */
const signIn = `
  const redirect_uri = location.origin + "/callback";
  const issuer = location.origin + "/idp";
  await using as = await createMock({ issuer, people, clients: [{ client_id: "app", redirect_uris: [redirect_uri], remember_consent: true }] });
  await startWorker(as);
  const { OidcClient, User, UserManager } = await import("/libraries.js");
  const settings = { authority: issuer, client_id: "app", redirect_uri, scope: "openid profile", automaticSilentRenew: false };
  const client = new OidcClient(settings);
  const browser = as.browser();
  async function logIn(request, arrive) {
    const { url } = await client.createSigninRequest(request);
    return await client.processSigninResponse((await arrive(url)).href);
  }
  const response = await logIn({}, (url) => as.authorize(url, { as: "alice", browser }));
  const manager = new UserManager({ ...settings, silentRequestTimeoutInSeconds: 1 });
  const endpointsAfter = async (work) => {
    const before = as.requests.length;
    const result = await work().then(({ profile }) => profile.name ?? profile.sub, ({ message }) => message);
    return [result, ...[...as.requests].slice(before).map(({ endpoint, grantType }) => grantType ?? endpoint)];
  };
`;

mswTest("a silent renew with a refresh token is answered, and one in a frame is not", async ({ page }) => {
  const result = await runInPage(page)`
    ${start} ${signIn}
    await manager.storeUser(new User({ ...response, profile: response.profile }));
    const renewed = await endpointsAfter(() => manager.signinSilent());
    await manager.storeUser(new User({ ...response, profile: response.profile, refresh_token: undefined }));
    const framed = await endpointsAfter(() => manager.signinSilent());
    const shown = await endpointsAfter(() => logIn({ prompt: "none" }, (url) => as.window(url, { browser })));
    return [renewed, framed, shown];
  `;
  assertEquals(result, [
    ["alice", "metadata", "refresh_token"],
    ["IFrame timed out without a response"],
    ["alice", "authorize", "authorization_code"],
  ]);
});

mswTest("worker.ts of docs/in_a_page.md answers the plain fetch", async ({ page }) => {
  const result = await runInPage(page)`
    await (await import("/worker.ts")).handling;
    const as = await (await import("/page.ts")).starting;
    const { issuer } = await (await fetch(as.issuer + "/.well-known/openid-configuration")).json();
    return [issuer, as.requests.at(-1).endpoint];
  `;
  assertEquals(result, ["https://as.test", "metadata"]);
});
