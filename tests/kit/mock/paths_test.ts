/** The option `paths` in the test kit: every call uses the moved endpoints, and navikt has an issuer for every name. */

import { assertEquals, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { createPlainRequest } from "../../../src/kit/mock/client/plain_request.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { createMock, type Mock, type MockOptions, type Tenant } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";

const quick: MockOptions = { alg: "ES256" };

async function issuerAt(as: { fetch(url: string): Promise<Response> }, url: string): Promise<unknown> {
  const response = await as.fetch(url);
  return response.ok ? (await response.json()).issuer : response.status;
}

for (const [paths, issuer] of [["axa", "https://as.test"], ["navikt", "https://as.test/default"]] as const) {
  test(`paths: with ${paths}, the kit logs in, refreshes, signs out, mints and names endpoints as usual`, async () => {
    await using as = await createMock({ ...quick, paths });
    assertEquals([as.issuer, as.env().OAUTH_ISSUER], [issuer, issuer]);
    const tokens = await as.refresh(await as.login("bob"));
    assertEquals(decodeJwt(tokens.access_token).iss, issuer);
    const authorization = `Bearer ${await as.mint({ person: "bob", scope: "openid" })}`;
    assertEquals((await as.fetch(`${issuer}/userinfo`, { headers: { authorization } })).status, 200);
    await as.revoke(tokens);
    const gate = as.hold("token", { count: 1 });
    const login = as.login("alice");
    await gate.arrived();
    gate.release();
    await as.endSession(await login);
    const base = new URL(issuer).pathname.replace(/\/$/, "");
    assertEquals(as.requests.map(({ endpoint, path }) => [endpoint, path]), [
      ["authorize", `${base}/authorize`],
      ["token", `${base}/token`],
      ["token", `${base}/token`],
      ["userinfo", `${base}/userinfo`],
      ["revoke", `${base}/revoke`],
      ["authorize", `${base}/authorize`],
      ["token", `${base}/token`],
      ["logout", `${base}/endsession`],
    ]);
  });
}

test("paths: with axa, the new paths are no names of tenants", async () => {
  await using as = await createMock({ ...quick, paths: "axa" });
  for (const name of ["token", "authorize", "jwks", "oauth2"]) {
    assertThrows(() => as.tenant(name), TypeError, "A tenant cannot be called");
  }
  assertEquals((await as.tenant("acme").login("bob")).scope, "openid profile email offline_access");
  // No request creates an issuer.
  assertEquals((await as.fetch("https://as.test/azuread/token")).status, 404);
  assertEquals(as.tenants, ["acme"]);
});

test("paths: with navikt, an issuer begins at the first request to one of its endpoints", async () => {
  await using as = await createMock({ ...quick, paths: "navikt" });
  const wellKnown = ".well-known/openid-configuration";
  const issuers = {
    [`azuread/${wellKnown}`]: "https://as.test/azuread",
    "tokenx/.well-known/oauth-authorization-server": "https://as.test/tokenx",
    ".well-known/oauth-authorization-server/idporten": "https://as.test/idporten",
    [`default/${wellKnown}`]: "https://as.test/default",
    [wellKnown]: 404,
    [`a/b/${wellKnown}`]: 404,
    [`~x/${wellKnown}`]: 404,
    "other/": 404,
    "other/oauth2/token": 404,
  };
  for (const [path, issuer] of Object.entries(issuers)) {
    assertEquals(await issuerAt(as, `https://as.test/${path}`), issuer, path);
  }
  assertEquals(as.tenants, ["azuread", "tokenx", "idporten"]);
  const tokens = await as.tenant("azuread").login("bob");
  assertEquals(decodeJwt(tokens.access_token).iss, "https://as.test/azuread");
  assertEquals(as.tenant("azuread").requests.length, 3);
  assertThrows(() => as.tenant("default"), TypeError, 'A tenant cannot be called "default"');
});

/** A test kit whose time, for the ends of tenants that requests begin, the test turns. */
async function openWithTime(
  options: MockOptions = {},
): Promise<{ readonly as: Mock; readonly turn: (seconds: number) => void }> {
  let time = 1_800_000_000;
  const { mock } = await createStartedMock({ ...quick, ...options, paths: "navikt" }, { now: () => time });
  return { as: mock, turn: (seconds) => void (time += seconds) };
}

test("paths: with navikt, a tenant that the test has obtained stays, and the 100 of requests are more", async () => {
  const { as, turn } = await openWithTime();
  as.tenant("first");
  await as.fetch("https://as.test/kept/jwks");
  await as.snapshot();
  await as.fetch("https://as.test/spiffe/jwks");
  await as.workload("spiffe", { audience: "https://api.test" });
  for (const name of ["obtained", "opened", "unused"]) await as.fetch(`https://as.test/${name}/jwks`);
  await as.tenant("obtained").login("bob");
  await as.authorize("https://as.test/opened/endsession").catch(() => {});
  await as.authorize("https://as.test/new/endsession").catch(() => {});
  turn(3600);
  for (let count = 0; count < 100; count++) {
    assertEquals((await as.fetch(`https://as.test/issuer-${count}/jwks`)).status, 200);
  }
  const stay = ["first", "kept", "spiffe", "obtained", "opened", "new"];
  assertEquals(as.tenants.slice(0, 7), [...stay, "issuer-0"]);
  assertEquals((await as.fetch("https://as.test/next/jwks")).status, 503);
  as.tenant("next");
  assertEquals((await as.fetch("https://as.test/next/jwks")).status, 200);
  await as.close();
});

test("paths: with navikt, a tenant with a running request does not end", async () => {
  const { as, turn } = await openWithTime();
  let finish: () => void = () => {};
  const body = new ReadableStream({ start: (controller) => void (finish = () => controller.close()) });
  const headers = { "content-type": "application/x-www-form-urlencoded" };
  const parts = { method: "POST", headers, body, duplex: "half" } as RequestInit;
  const running = as.fetch(new Request("https://as.test/busy/token", parts));
  turn(3600);
  await as.fetch("https://as.test/other/jwks");
  assertEquals(as.tenants, ["busy", "other"]);
  finish();
  assertEquals((await running).status, 400);
  await as.fetch("https://as.test/third/jwks");
  assertEquals(as.tenants, ["other", "third"]);
  await as.close();
});

test("paths: with navikt, a reset deletes the records for which a tenant stays", async () => {
  const { as, turn } = await openWithTime({ registration: true });
  const headers = { "content-type": "application/json" };
  const body = JSON.stringify({ redirect_uris: ["http://127.0.0.1/callback"] });
  await as.fetch("https://as.test/used/register", { method: "POST", headers, body });
  turn(3600);
  await as.fetch("https://as.test/other/jwks");
  assertEquals(as.tenants, ["used", "other"]);
  as.reset();
  await as.fetch("https://as.test/third/jwks");
  assertEquals(as.tenants, ["other", "third"]);
  await as.close();
});

test("paths: with navikt, a request with a foreign Host creates no issuer", async () => {
  await using as = await createMock({ ...quick, paths: "navikt" });
  await as.listen();
  const { status } = await as.answer(createPlainRequest({ url: "http://evil.test/rebound/jwks" }));
  assertEquals([status, as.tenants], [421, []]);
});

test("paths: with navikt, an issuer of your own may have any path", async () => {
  await using as = await createMock({ ...quick, paths: "navikt", issuer: "https://id.test/auth/main" });
  await using root = await createMock({ ...quick, paths: "navikt", issuer: "https://id.test" });
  const wellKnown = ".well-known/openid-configuration";
  const expected = [
    [as, `auth/b/${wellKnown}`, "https://id.test/auth/b"],
    [as, `${wellKnown}/auth/c`, "https://id.test/auth/c"],
    [as, `x/${wellKnown}`, 404],
    [root, `b/${wellKnown}`, "https://id.test/b"],
    [root, wellKnown, "https://id.test"],
  ] as const;
  for (const [mock, path, issuer] of expected) {
    assertEquals(await issuerAt(mock, `https://id.test/${path}`), issuer, path);
  }
  assertEquals(root.tenant("acme").issuer, "https://id.test/acme");
});

test("paths: with navikt, a port moves every issuer to its origin", async () => {
  await using as = await createMock({ ...quick, paths: "navikt" });
  const other = as.tenant("other");
  await using port = await as.listen();
  assertEquals([as.issuer, other.issuer], [`${port.origin}/default`, `${port.origin}/other`]);
  const metadata = await (await fetch(`${port.origin}/other/.well-known/openid-configuration`)).json();
  assertEquals(metadata.token_endpoint, `${port.origin}/other/token`);
});

test("tokenClaims: a tenant has those of its own issuer, also in minted tokens", async () => {
  await using as = await createMock({
    ...quick,
    paths: "navikt",
    tokenClaims: [{ issuer: "azuread", when: { scope: "orders" }, claims: { roles: ["reader"] } }],
  });
  const rolesOf = async (tenant: Tenant, scope: string) => decodeJwt(await tenant.mint({ scope }))["roles"];
  assertEquals(await rolesOf(as.tenant("azuread"), "orders"), ["reader"]);
  assertEquals(await rolesOf(as.tenant("azuread"), "prices"), undefined);
  assertEquals(await rolesOf(as, "orders"), undefined);
});
