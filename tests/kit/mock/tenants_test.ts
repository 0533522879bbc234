/** Tenants of a mock: their names, their options, their requests, reset and closing. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt, decodeProtectedHeader } from "jose";
import { createMock, type MockOptions, type Tenant } from "../../../src/kit/mod.ts";
import { fromRequest } from "../../../src/ground/http/message.ts";
import { createStartedMock } from "../../../src/kit/mock/started_mock.ts";
import { findStarted } from "../../../src/kit/mock/mock_parts.ts";
import { test } from "../../runner.ts";
import { authorizeUrl, redirectUri } from "./authorize_url.ts";
import { withoutWaiting } from "./without_waiting.ts";

const quick: MockOptions = { alg: "ES256" };

test("tenant: has its own issuer, people, clients, clock, journal and hooks, at the same origin", async () => {
  await using as = await createMock(quick);
  const acme = as.tenant("acme", { people: [{ username: "wile" }] });
  assertEquals([acme.issuer, as.tenant("acme") === acme], ["https://as.test/acme", true]);
  const tokens = await acme.login("wile");
  assertEquals(decodeJwt(tokens.access_token).iss, "https://as.test/acme");
  await assertRejects(() => as.login("wile"), TypeError, "There is no person wile");
  await assertRejects(() => as.refresh(tokens), TypeError, "does not know the token");
  acme.clock.advance("1d");
  assertEquals(Math.abs(acme.clock.now - as.clock.now) > 86_000, true);
  assertEquals([as.requests.length, acme.requests.length], [0, 2]);
  using _hook = acme.on(
    "token_response",
    ({ status, members }) => ({ status, members: { ...members, from: "acme" } }),
  );
  const hooked = await acme.login("wile");
  assertEquals("from" in hooked && hooked.from, "acme");
  assertEquals("from" in await as.login("alice"), false);
  const paths = [
    "/.well-known/oauth-authorization-server/acme",
    "/acme/.well-known/openid-configuration",
    "/.well-known/openid-configuration/acme",
  ];
  for (const path of paths) {
    assertEquals((await (await as.fetch(`https://as.test${path}`)).json()).issuer, "https://as.test/acme");
  }
  assertEquals(
    (await (await acme.fetch("https://as.test/.well-known/openid-configuration")).json()).issuer,
    "https://as.test",
  );
});

test("tenant: one that has the name of a closed tenant stays when that one has ended", async () => {
  await using as = await createMock(quick);
  const first = as.tenant("acme");
  const gate = first.hold("jwks");
  const asked = first.fetch(`${first.issuer}/oauth2/jwks`).catch(() => {});
  await gate.arrived();
  const closing = first.close();
  const second = as.tenant("acme");
  await Promise.all([asked, closing]);
  assertEquals([as.tenant("acme") === second, as.tenants], [true, ["acme"]]);
});

test("tenant: its people are in no file, where those of the mock itself are", async () => {
  const saved: string[] = [];
  const save = (all: readonly { readonly username: string }[]) => void saved.push(all.at(-1)!.username);
  const savedPeople = { save, prepare: (entry: object) => entry };
  await using as = (await createStartedMock(quick, { savedPeople })).mock;
  for (const [name, people] of Object.entries({ carol: as.people, wile: as.tenant("acme").people })) {
    people.add({ username: name });
  }
  assertEquals(saved, ["carol"]);
});

test("tenant: ten thousand, and those that nothing has used yet are changed, reset and closed as others are", async () => {
  await using as = await createMock({ ...quick, seed: 1 });
  const tenants = Array.from({ length: 10_000 }, (_, number) => as.tenant(`tenant-${number}`));
  assertEquals(new Set(tenants.map(({ issuer }) => issuer)).size, 10_000);
  const [changed, turned, reset, closed, wrong] = tenants as [Tenant, Tenant, Tenant, Tenant, Tenant];

  changed.people.add({ username: "wile" });
  assertThrows(() => changed.people.add({ username: "" }), TypeError);
  assertEquals(decodeJwt((await changed.login("wile")).access_token).iss, changed.issuer);
  const kidOf = async (tenant: Tenant) =>
    decodeProtectedHeader((await tenant.login("alice")).access_token).kid;
  await turned.rotateKeys();
  assertNotEquals(await kidOf(turned), await kidOf(tenants.at(-1)!));
  reset.reset();
  assertEquals(decodeJwt((await reset.login("alice")).access_token).iss, reset.issuer);
  await closed.close();
  await assertRejects(() => closed.login("alice"), Error, "is closed");
  using _wrong = wrong.misbehave("id_token.exp_past");
  const { exp = 0 } = decodeJwt((await wrong.login("alice")).id_token!);
  assert(exp < wrong.clock.now);
});

test("tenant: one that is used, reset and closed reads its options once", async () => {
  let reads = 0;
  const lifetimes = new Proxy({}, {
    ownKeys() {
      reads++;
      return [];
    },
  });
  await using as = await createMock({ ...quick, lifetimes });
  reads = 0;
  for (const name of ["acme", "blue"]) {
    const tenant = as.tenant(name);
    await tenant.login("bob");
    tenant.reset();
    await tenant.close();
  }
  assertEquals(reads, 2);
});

test("tenant: shares its features with other tenants, but not who signs in next, nor what a peer has sent", async () => {
  const grantTypes = ["authorization_code", "urn:ietf:params:oauth:grant-type:device_code"];
  const client = { client_id: "app", redirect_uris: [redirectUri], grant_types: grantTypes };
  await using as = await createMock({ ...quick, clients: [client] });
  const [acme, other] = ["acme", "other"].map((name) => as.tenant(name)) as [Tenant, Tenant];
  const sign = ({ issuer }: Tenant) => as.fetch(authorizeUrl(issuer), { redirect: "manual" });
  acme.nextSignIn("bob");
  assertEquals([(await sign(other)).status, (await sign(acme)).status], [200, 303]);
  assertEquals(acme.requests.authorize.last?.person, "bob");

  const begin = async ({ issuer }: Tenant) => {
    const body = new URLSearchParams({ client_id: "app" });
    const request = new Request(`${issuer}/oauth2/device_authorization`, { method: "POST", body });
    return (await as.answer(fromRequest(request, "192.0.2.1"))).status;
  };
  const statuses = new Set<number>();
  for (let count = 0; count < 300; count++) statuses.add(await begin(acme));
  assertEquals([[...statuses], await begin(acme), await begin(other)], [[200], 429, 200]);
});

test("tenant: the name of the demo resource's path is refused", async () => {
  await using as = await createMock({ ...quick, demoResource: "/shop/api" });
  assertThrows(() => as.tenant("shop"), TypeError, "A tenant cannot be called");
  assertEquals((await as.fetch("https://as.test/shop/api")).status, 401);
});

test("tenant: a name that is a path of the mock is refused", async () => {
  await using as = await createMock(quick);
  for (const name of ["", "oauth2", "userinfo", "_postern", "a/b", "..", ".well-known", "é"]) {
    assertThrows(() => as.tenant(name), TypeError, "A tenant cannot be called");
  }
  as.tenant("acme");
  assertThrows(() => as.tenant("acme", { alg: "EdDSA" }), TypeError, "exists already");
});

test("seed: tenants with the same seed make different ids", async () => {
  await using as = await createMock({ ...quick, seed: 1, accessTokens: "opaque" });
  const tenants = [as, as.tenant("a"), as.tenant("b")];
  const tokens = await Promise.all(tenants.map((tenant) => tenant.login("alice")));
  assertEquals(new Set(tokens.map(({ refresh_token: token }) => token)).size, 3);
  await assertRejects(() => tenants[2]!.refresh({ refresh_token: tokens[1]!.refresh_token! }), TypeError);
});

test("tenant: undefined options are ignored, and a closed tenant is created again", async () => {
  await using as = await createMock({ ...quick, people: [{ username: "carol" }] });
  const undefinedPeople = { people: undefined } as unknown as MockOptions;
  const acme = as.tenant("acme", undefinedPeople);
  assertEquals(as.tenant("acme", undefinedPeople), acme);
  await acme.login("carol");
  await acme.close();
  await assertRejects(() => acme.login("carol"), Error, "The tenant acme is closed");
  await as.tenant("acme").login("carol");
});

test("tenant: only requests below the issuer reach it", async () => {
  await using as = await createMock({ ...quick, issuer: "https://as.test/base" });
  const acme = as.tenant("acme");
  await as.fetch("https://as.test/othe/acme/oauth2/jwks");
  assertEquals([acme.requests.length, as.requests.length], [0, 1]);
  for (const path of ["/base/acme/oauth2/jwks", "/.well-known/oauth-authorization-server/base/acme"]) {
    assertEquals((await as.fetch(`https://as.test${path}`)).status, 200);
  }
  assertEquals([acme.requests.length, as.requests.length], [2, 1]);
});

/** Resolves when a request runs that never ends. */
const beginEndless = (tenant: Tenant) =>
  new Promise<void>((resolve) => {
    tenant.on("token_response", () => {
      resolve();
      return new Promise(() => {});
    });
    void tenant.login("alice").catch(() => {});
  });

test("tenant: an error names the tenant that cannot be closed, and the mock still closes", async () => {
  await using as = await createMock(quick);
  const acme = as.tenant("acme");
  await beginEndless(acme);
  using _noWait = withoutWaiting();
  const { message } = await assertRejects(() => acme.close(), Error);
  assertMatch(
    message,
    /^Cannot close the tenant acme, because these requests are still running: POST \/acme\/oauth2\/token\./,
  );
  await as.tenant("acme").login("alice");
});

test("tenant: after a reset, it closes although a request from before does not end", async () => {
  await using as = await createMock(quick);
  const acme = as.tenant("acme");
  await beginEndless(acme);
  acme.people.add({ username: "zoe" });
  acme.reset();
  using _noWait = withoutWaiting();
  await acme.close();
});

test("tenant: a request to the mock reads none of its tenants", async () => {
  await using as = await createMock(quick);
  const acme = as.tenant("acme");
  const parts = findStarted(as)!.partsOf(acme);
  let reads = 0;
  for (const [name, { get, value }] of Object.entries(Object.getOwnPropertyDescriptors(parts))) {
    const read = () => {
      reads++;
      return get === undefined ? value : get.call(parts);
    };
    Object.defineProperty(parts, name, { get: read });
  }
  const readsFor = async (issuer: string) => {
    reads = 0;
    await (await as.fetch(`${issuer}/oauth2/jwks`)).text();
    return reads;
  };
  assertEquals(await readsFor(as.issuer), 0);
  assert(await readsFor(acme.issuer) > 0);
});
