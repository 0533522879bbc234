/** `fetch` without a network: foreign clients complete their flows with it, and it fails like a network. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import * as jose from "jose";
import * as client from "openid-client";
import { createMock, type Gate } from "../../../../src/kit/mod.ts";
import { runtime, test } from "../../../runner.ts";

const redirectUri = "https://app.test/callback";

for (const issuer of ["https://as.test", "https://login.shop.example/tenant/7"]) {
  test(`fetch: openid-client completes code flow, refresh, userinfo and revocation at ${issuer} with no socket open`, async () => {
    await using as = await createMock({ issuer });
    const config = await client.discovery(
      new URL(as.issuer),
      "app-confidential",
      undefined,
      client.ClientSecretBasic("app-secret"),
      { [client.customFetch]: as.fetch },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const expectedState = client.randomState();
    const url = client.buildAuthorizationUrl(config, {
      ...{ redirect_uri: redirectUri, scope: "openid offline_access", state: expectedState },
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const checks = { pkceCodeVerifier, expectedState };
    const tokens = await client.authorizationCodeGrant(config, await as.authorize(url), checks);
    assertEquals(tokens.claims()?.sub, "alice");
    const next = await client.refreshTokenGrant(config, tokens.refresh_token!);
    assertEquals((await client.fetchUserInfo(config, next.access_token, "alice")).sub, "alice");
    await client.tokenRevocation(config, next.refresh_token!);
    await assertRejects(() => client.refreshTokenGrant(config, next.refresh_token!));
  });
}

test("fetch: jose fetches the keys and verifies a token with them", async () => {
  await using as = await createMock({ alg: "EdDSA" });
  const { access_token: token } = await as.login("alice");
  const keys = jose.createRemoteJWKSet(new URL(`${as.issuer}/oauth2/jwks`), { [jose.customFetch]: as.fetch });
  const { payload } = await jose.jwtVerify(token, keys, { issuer: as.issuer, audience: as.issuer });
  assertEquals(payload.sub, "alice");
});

test("fetch: has every member of the platform's fetch", async () => {
  await using as = await createMock();
  const members = Reflect.ownKeys(globalThis.fetch).filter((name) => name !== "prototype");
  assertEquals(members.filter((name) => !(name in as.fetch)), []);
});

test("fetch: takes text, URLs and requests, and the response has the URL of the request", async () => {
  await using as = await createMock();
  const url = `${as.issuer}/oauth2/jwks`;
  for (const input of [url, new URL(`${url}#here`), new Request(url)]) {
    const response = await as.fetch(input);
    assertEquals([response.status, response.url, response.redirected], [200, url, false]);
    assertEquals(response.clone().clone().url, url);
    assertEquals((await response.json()).keys.length > 0, true);
  }
});

test("fetch: a response of another fetch is cloned by its own method", async () => {
  class Foreign {
    readonly status = 200;
    readonly headers = new Headers();
    readonly url = "https://other.test/";
    readonly #said: string;
    constructor(said: string) {
      this.#said = said;
    }
    clone(): Foreign {
      return new Foreign(`${this.#said}, cloned`);
    }
    text(): Promise<string> {
      return Promise.resolve(this.#said);
    }
  }
  await using as = await createMock({
    fetch: () => Promise.resolve(new Foreign("foreign") as unknown as Response),
  });
  as.on("response", () => ({ status: 302, headers: { location: "https://other.test/" }, body: "" }));
  const response = await as.fetch(as.issuer);
  assertEquals([await response.clone().text(), response.clone().url], [
    "foreign, cloned",
    "https://other.test/",
  ]);
});

test("fetch: a redirect to another server is followed, or refused with its address", async () => {
  await using as = await createMock({
    fetch: (input) => Promise.resolve(new Response(`went to ${(input as Request).url}`)),
  });
  as.nextSignIn("alice");
  const url = `${as.issuer}/oauth2/authorize?${new URLSearchParams({
    ...{ client_id: "app", redirect_uri: redirectUri, response_type: "code" },
    ...{ code_challenge: "x".repeat(43), code_challenge_method: "S256" },
  })}`;
  const followed = await as.fetch(url);
  assert((await followed.text()).startsWith(`went to ${redirectUri}?code=`));
  assertEquals([followed.redirected, followed.url.startsWith(`${redirectUri}?code=`)], [true, true]);
  as.nextSignIn("alice");
  const { message } = await assertRejects(() => as.fetch(url, { redirect: "error" }), TypeError) as Error;
  assertEquals(
    message,
    `fetch failed: ${as.issuer}/oauth2/authorize redirects to ${redirectUri}, ` +
      'and this request was made with redirect: "error"',
  );
});

test("fetch: a request to another server is refused, and the error says what to do", async () => {
  await using as = await createMock();
  for (const url of ["https://api.test/", "https://as.test:8443/", "http://as.test/"]) {
    await assertRejects(
      () => as.fetch(url),
      TypeError,
      `This fetch answers for https://as.test only, not for ${url}: give`,
    );
  }
  const secret = "https://api.test/callback?code=canary#canary";
  const { message } = await assertRejects(() => as.fetch(secret), TypeError) as Error;
  assertEquals(message.includes("canary"), false);
});

/** What keeps a Node process alive. */
const countWaits = (): number => Reflect.get(globalThis, "process").getActiveResourcesInfo().length;

/** The ways in which a request that waits at a gate ends. */
const settled: Readonly<Record<string, (gate: Gate, abort: AbortController) => void>> = {
  "answered": (gate) => gate.release(),
  "aborted": (_gate, abort) => abort.abort(new Error("enough")),
};

for (const [how, settle] of Object.entries(settled)) {
  const name = `fetch: keeps the process alive until it is ${how}, and no longer`;
  if (runtime !== "node") test.skip(name, "only Node says what keeps it alive");
  else {
    test(name, async () => {
      await using as = await createMock();
      const gate = as.hold("jwks");
      const abort = new AbortController();
      const before = countWaits();
      const asked = as.fetch(`${as.issuer}/oauth2/jwks`, { signal: abort.signal });
      await gate.arrived();
      assertEquals(countWaits(), before + 1);
      settle(gate, abort);
      await asked.catch(() => {});
      assertEquals(countWaits(), before);
    });
  }
}

test("fetch: a dropped answer looks like a broken connection, and the server has done its work", async () => {
  await using as = await createMock();
  const tokens = await as.login("alice");
  using _drop = as.drop("token", { count: 1 });
  const form = new URLSearchParams({
    grant_type: "refresh_token",
    refresh_token: tokens.refresh_token!,
    client_id: "app",
  });
  const send = () => as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body: form });
  const { cause } = await assertRejects(send, TypeError, "fetch failed") as TypeError;
  // On Node, the cause is the error of a socket.
  const lost = (cause as Error).cause ?? cause;
  assertEquals(
    `${lost}`,
    "AnswerLost: The answer is lost: as.drop() cut the connection after the work was done",
  );
  const again = await send();
  assertEquals([again.status, (await again.json()).error], [400, "invalid_grant"]);
  assertEquals(as.requests.token.last?.refusal?.reason, "refresh_reused");
});
