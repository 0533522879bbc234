/** The server and the test kit in a web page: a foreign client signs in there, without a network. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { dirname } from "node:path";
import type { Page } from "playwright-core";
import project from "../../deno.json" with { type: "json" };
import { describePackage } from "../../scripts/package/description.ts";
import { readPage } from "../documentation/blocks.ts";
import { inFolder } from "../in_folder.ts";
import { bundlePage, lackOfOldTarget } from "./bundle_page.ts";
import { findProgram } from "./documented_programs.ts";
import { assertWeight, makeBundle, most, pageTest as it, runInPage } from "./in_page.ts";
import { browserTest } from "./visit.ts";

/** Signs in with the client library. `fetching` is how the client reaches the server. */
const signIn = `
  async function signIn(as, { client, authentication, fetching = { [oauth.customFetch]: as.fetch }, dpop, arrive }) {
    const issuer = new URL(as.issuer);
    const server = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, fetching));
    const redirectUri = "https://app.test/callback";
    const verifier = oauth.generateRandomCodeVerifier(), state = oauth.generateRandomState();
    const url = new URL(server.authorization_endpoint);
    url.search = new URLSearchParams({
      ...{ client_id: client.client_id, redirect_uri: redirectUri, response_type: "code", scope: "openid profile", state },
      ...{ code_challenge: await oauth.calculatePKCECodeChallenge(verifier), code_challenge_method: "S256" },
    });
    const callback = await (arrive ?? ((url) => as.authorize(url, { as: "alice" })))(url);
    const params = oauth.validateAuthResponse(server, client, callback, state);
    const redeem = () =>
      oauth.authorizationCodeGrantRequest(server, client, authentication, params, redirectUri, verifier, { ...fetching, ...dpop && { DPoP: dpop } });
    const tokens = await oauth.processAuthorizationCodeResponse(server, client, await redeem());
    return { server, tokens, claims: oauth.getValidatedIdTokenClaims(tokens), redeem, fetching };
  }
`;

const publicClient = `
  const client = { client_id: "app", token_endpoint_auth_method: "none" };
  const options = { clients: [{ ...client, redirect_uris: ["https://app.test/callback"], grant_types: ["authorization_code", "refresh_token"] }], people: [{ username: "alice", claims: { name: "Alice Adams" } }] };
  const authentication = oauth.None();
`;

it("in a page: a client finds the metadata and the keys", async ({ page }) => {
  assertEquals(
    await runInPage(page)`
      await using as = await createMock();
      const metadata = await (await as.fetch(as.issuer + "/.well-known/openid-configuration")).json();
      const { keys } = await (await as.fetch(metadata.jwks_uri)).json();
      return [metadata.issuer, keys.map(({ alg }) => alg), typeof Buffer, typeof process];
    `,
    ["https://as.test", ["RS256"], "undefined", "undefined"],
  );
});

for (const alg of ["ES256", "RS256", "EdDSA", "PS256"]) {
  it(`in a page: oauth4webapi signs in and refreshes, and ${alg} signs the tokens`, async ({ page }) => {
    const result = await runInPage(page)`
      ${signIn} ${publicClient}
      await using as = await createMock({ ...options, alg: "${alg}" });
      client.id_token_signed_response_alg = "${alg}";
      const { server, tokens, claims, fetching } = await signIn(as, { client, authentication });
      const keys = await (await as.fetch(server.jwks_uri)).json();
      const refreshed = await oauth.processRefreshTokenResponse(server, client,
        await oauth.refreshTokenGrantRequest(server, client, authentication, tokens.refresh_token, fetching));
      const header = JSON.parse(atob(tokens.id_token.split(".")[0]));
      const userinfo = await (await oauth.userInfoRequest(server, client, refreshed.access_token, fetching)).json();
      return [header.alg, claims.sub === userinfo.sub, userinfo.name, refreshed.refresh_token !== tokens.refresh_token, as.requests.length > 4];
    `;
    assertEquals(result, [alg, true, "Alice Adams", true, true]);
  });
}

it("in a page: a code that is sent twice is refused with its reason, and the journal has it", async ({ page }) => {
  const result = await runInPage(page)`
    ${signIn} ${publicClient}
    await using as = await createMock(options);
    const { redeem } = await signIn(as, { client, authentication });
    const again = await redeem();
    const last = as.requests.at(-1);
    return [again.status, (await again.json()).error, last.endpoint, last.refusal.reason, last.status];
  `;
  assertEquals(result, [400, "invalid_grant", "token", "code_replayed", 400]);
});

it("in a page: intercept() answers the page's own fetch, and ends", async ({ page }) => {
  const result = await runInPage<readonly unknown[]>(page)`
    ${signIn} ${publicClient}
    await using as = await createMock(options);
    const before = fetch;
    const interception = as.intercept();
    const { claims } = await signIn(as, { client, authentication, fetching: {} });
    interception[Symbol.dispose]();
    return [typeof claims.sub, fetch === before];
  `;
  assertEquals(result, ["string", true]);
});

it("in a page: the clock is turned, and the token has expired", async ({ page }) => {
  const result = await runInPage(page)`
    await using as = await createMock();
    const { access_token } = await as.login();
    const call = async () => (await as.fetch(as.issuer + "/userinfo", { headers: { authorization: "Bearer " + access_token } })).status;
    const before = await call();
    as.clock.advance("2h");
    return [before, await call(), as.requests.at(-1).refusal.reason];
  `;
  assertEquals(result, [200, 401, "token_expired"]);
});

it("in a page: a misbehaviour makes a careful client refuse the ID token", async ({ page, loaded }) => {
  const result = await runInPage<readonly string[]>(page)`
    ${signIn} ${publicClient}
    await using as = await createMock(options);
    await signIn(as, { client, authentication });
    const misbehaving = as.misbehave("id_token.aud_wrong");
    const refusal = await signIn(as, { client, authentication }).catch((error) => error);
    return [refusal.code, misbehaving.name];
  `;
  assertEquals(result, ["OAUTH_JWT_CLAIM_COMPARISON_FAILED", "id_token.aud_wrong"]);
  assert([...loaded].some((name) => name.includes("catalogue")), [...loaded].join(" "));
});

it("in a page: a client with a secret and a person with a password sign in", async ({ page }) => {
  const result = await runInPage(page)`
    ${signIn}
    const client = { client_id: "app" };
    await using as = await createMock({
      clients: [{ client_id: "app", client_secret: "a secret of the client, 32 chars", redirect_uris: ["https://app.test/callback"] }],
      people: [{ username: "alice", password: await postern.hashPassword("pass word") }],
    });
    const { claims } = await signIn(as, {
      client,
      authentication: oauth.ClientSecretBasic("a secret of the client, 32 chars"),
      arrive: (url) => as.authorize(url, { as: "alice" }),
    });
    const wrong = await signIn(as, { client, authentication: oauth.ClientSecretBasic("wrong") }).catch((error) => error);
    return [typeof claims.sub, wrong.code, as.requests.at(-1).refusal.reason];
  `;
  assertEquals(result, ["string", "OAUTH_WWW_AUTHENTICATE_CHALLENGE", "secret_wrong"]);
});

it("in a page: DPoP binds the access token to a key of the page", async ({ page }) => {
  const result = await runInPage<readonly unknown[]>(page)`
    ${signIn} ${publicClient}
    await using as = await createMock(options);
    const key = await oauth.generateKeyPair("ES256");
    const dpop = oauth.DPoP(client, key);
    const { server, tokens, fetching } = await signIn(as, { client, authentication, dpop });
    const answer = await oauth.userInfoRequest(server, client, tokens.access_token, { ...fetching, DPoP: dpop });
    const bearer = await as.fetch(server.userinfo_endpoint, { headers: { authorization: "Bearer " + tokens.access_token } });
    return [tokens.token_type, answer.status, bearer.status];
  `;
  assertEquals(result, ["dpop", 200, 401]);
});

const impossible = [
  [
    "listen on a port",
    "await as.listen()",
    /^A web page cannot listen on a port: give the client as\.fetch/,
  ],
  ["intercept node:http", "as.intercept({ node: true })", /^A web page cannot intercept node:http/],
  [
    "create client certificates",
    'await as.certificate("app")',
    /^A web page cannot create client certificates/,
  ],
  [
    "show a client certificate",
    'await as.fetch(as.issuer, { certificate: { cert: "x" } })',
    /^A web page cannot show a client certificate/,
  ],
] as const;
for (const [name, program, expected] of impossible) {
  it(`in a page: what cannot be done is said: ${name}`, async ({ page }) => {
    const said = await runInPage<string>(
      page,
    )`await using as = await createMock(); try { ${program}; return "nothing"; } catch (error) { return error.message; }`;
    assertMatch(said, expected);
  });
}

browserTest(
  "in a page: the bundle needs no module of Node, and weighs at most 597 kB compressed",
  async () => {
    const bundle = await makeBundle();
    const all = [...bundle.values()];
    assertEquals(
      all.filter(({ text }) => /["']node:/.test(text.replaceAll(/intercept node:https?/g, ""))),
      [],
    );
    assertWeight(bundle, [...bundle.keys()], most.ofAll);
    // Bundlers warn of a file above 500 kB, and docs/in_a_page.md says which limit is enough.
    const largest = Math.max(...all.map(({ text }) => text.length));
    assert(largest > 500_000 && largest < 1_000_000, `${largest} octets`);
  },
);

browserTest("in a page: the bundle and the documented programs need no target of a bundler", async () => {
  for (const [name, { text }] of await makeBundle()) {
    assertEquals([name, await lackOfOldTarget(text)], [name, ""]);
  }
  for (const page of ["docs/in_a_page.md", "docs/in_a_worker.md"]) {
    const programs = readPage(page).filter(({ text }) =>
      /^import .+ from "postern\/|from "\.\/page\.ts"/m.test(text)
    );
    assert(programs.length > 0, page);
    for (const { text, place } of programs) assertEquals([place, await lackOfOldTarget(text)], [place, ""]);
  }
  assertMatch(await lackOfOldTarget("await 1;"), /Top-level await/);
});

browserTest(
  "in a page: a bundler leaves the server out of a page that only starts the worker",
  () =>
    inFolder(async (path) => {
      const files = new Map([...await makeBundle()].map(([name, { text }]) => [name, text]));
      files.set("package.json", JSON.stringify(describePackage(project, [])));
      for (const [name, text] of files) {
        const place = path(`node_modules/postern/${name}`);
        await Deno.mkdir(dirname(place), { recursive: true });
        await Deno.writeTextFile(place, text);
      }
      const program = (name: string) => `import { ${name} } from "postern/browser"; await ${name}();`;
      const [starts, creates] = [
        await bundlePage(program("startWorker"), path(".")),
        await bundlePage(program("createMock"), path(".")),
      ];
      assertMatch(starts, /postern-worker\.js/);
      assert(starts.length < 10_000, `${starts.length} octets`);
      assert(creates.length > 500_000, `${creates.length} octets`);
    }),
);

it("in a page: at most 259 kB are evaluated before the first sign-in page", async ({ page, loaded }) => {
  await runInPage(page)`
    await using as = await createMock();
    const url = as.issuer + "/oauth2/authorize?" + new URLSearchParams({ client_id: "demo", redirect_uri: "http://localhost:9000/authorized", response_type: "code", code_challenge: "E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM", code_challenge_method: "S256" });
    const answer = await as.fetch(url, { headers: { accept: "text/html" } });
    if (!(await answer.text()).includes("<form")) throw new Error("no page");
  `;
  assertWeight(await makeBundle(), [...loaded], most.beforeFirstPage);
});

it("in a page: reset() and close() remove the frame, and window() rejects", async ({ page }) => {
  const url =
    "https://as.test/oauth2/authorize?client_id=demo&redirect_uri=http://localhost:9000/authorized&response_type=code&code_challenge=E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM&code_challenge_method=S256";
  const open = `as.window("${url}").then(() => "nothing", ({ message }) => message)`;
  await runInPage(page)`window.as = await createMock()`;
  for (const [call, what] of [["reset", "reset"], ["close", "closed"]] as const) {
    const said = page.evaluate(open);
    await page.frameLocator("iframe").locator("form").first().waitFor();
    await page.evaluate(`as.${call}()`);
    if (call === "reset") assertEquals(await page.evaluate("as.requests.length"), 0);
    assertEquals(
      [await said, await page.locator("iframe").count()],
      [`The mock was ${what} before the server sent an authorization response`, 0],
    );
  }
  await runInPage(page)`window.as = await createMock()`;
  const said = await page.evaluate(`(() => { const said = ${open}; as.close(); return said; })()`);
  assertEquals(
    [said, await page.locator("iframe").count()],
    ["The mock was closed before the server sent an authorization response", 0],
  );
});

function documentedTest(name: string, work: (page: Page) => Promise<void>): void {
  it(`docs/in_a_page.md: ${name}`, async ({ page }) => {
    await page.addScriptTag({ type: "module", url: `/${name}` });
    await work(page);
  }, { findFile: findProgram });
}

async function signInAsAlice(page: Page): Promise<void> {
  const frame = page.frameLocator("iframe");
  await frame.locator("button[value=alice]").click();
  await frame.locator("#approve").click();
}

documentedTest("page.ts", async (page) => {
  await page.getByRole("button", { name: "Log in" }).click();
  await signInAsAlice(page);
  await page.getByText("Hello, alice").waitFor();
});

documentedTest("oidc.ts", async (page) => {
  await signInAsAlice(page);
  await page.getByText("Hello, alice").waitFor();
});

documentedTest("wrong.ts", async (page) => {
  await signInAsAlice(page);
  await page.getByText('noticed: The client refused: OperationProcessingError: unexpected JWT "aud"')
    .waitFor();
});
