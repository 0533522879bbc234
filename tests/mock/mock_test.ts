/** A mock as a whole: people and clients, authorization requests, tenants, clock, seed, reset and closing. */

import { assertEquals, assertMatch, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type MockOptions, Refused } from "../../src/mock/mod.ts";
import { test } from "../runner.ts";
import { authorizeUrl } from "./authorize_url.ts";

const quick: MockOptions = { alg: "ES256" };

test("authorize: a client's own URL ends at the callback with a code and the state", async () => {
  await using as = await createMock(quick);
  const callback = await as.authorize(authorizeUrl(as.issuer), { as: "bob" });
  assertEquals(callback.origin + callback.pathname, "https://app.test/callback");
  assertEquals(callback.searchParams.get("state"), "af0ifjsldkj");
  assertMatch(callback.searchParams.get("code")!, /\S/);
  assertEquals(as.requests.authorize.last?.person, "bob");
});

test("authorize: a denial sends the error to the client, and without a name the first person approves", async () => {
  await using as = await createMock(quick);
  const denied = await as.authorize(authorizeUrl(as.issuer), { deny: true });
  assertEquals(denied.searchParams.get("error"), "access_denied");
  await as.authorize(authorizeUrl(as.issuer));
  assertEquals(as.requests.authorize.last?.person, "alice");
});

test("authorize: a request that may not be redirected rejects, and the error explains why", async () => {
  await using as = await createMock(quick);
  const elsewhere = authorizeUrl(as.issuer, { redirect_uri: "https://evil.test/" });
  const error = await assertRejects(() => as.authorize(elsewhere), Refused) as Refused;
  assertEquals(error.reason, "redirect_uri_unregistered");
  assertMatch(error.message, /came .*evil\.test/);
});

test("authorizeForm: gives the request that the browser would send to the client", async () => {
  await using as = await createMock(quick);
  const url = authorizeUrl(as.issuer, { response_mode: "form_post", state: `"&'<` });
  const request = await as.authorizeForm(url, { as: "bob" });
  assertEquals([request.method, request.url], ["POST", "https://app.test/callback"]);
  const form = new URLSearchParams(await request.text());
  assertEquals([form.get("state"), form.get("iss")], [`"&'<`, "https://as.test"]);
  await assertRejects(() => as.authorize(url), Error, "use as.authorizeForm()");
  await assertRejects(() => as.authorizeForm(authorizeUrl(as.issuer)), Error, "use as.authorize()");
});

test("authorize: a page of the server's own rejects, and the error does not show the query", async () => {
  await using as = await createMock(quick);
  const browser = as.browser();
  await as.login("alice", { browser });
  const page = `${as.issuer}/connect/logout?state=hidden-state`;
  for (const play of [as.authorize, as.authorizeForm]) {
    const { message } = await assertRejects(() => play(page, { browser }), Error);
    assertEquals(
      message,
      "Cannot authorize: the server shows a page of its own at https://as.test/connect/logout; " +
        "expected a client's authorization URL, which sends the browser back",
    );
  }
  const lineBreak = `${authorizeUrl(as.issuer, { state: "hidden-state" })}\n`;
  const { message } = await assertRejects(() => as.authorize(lineBreak), TypeError);
  assertEquals(message, "Cannot request https://as.test/oauth2/authorize: expected an http or https URL");
});

test("authorize: an unknown person is refused, with deny as well", async () => {
  await using as = await createMock(quick);
  for (const play of [as.authorize, as.authorizeForm]) {
    const { message } = await assertRejects(
      () => play(authorizeUrl(as.issuer), { as: "zed", deny: true }),
      TypeError,
    );
    assertEquals(
      message,
      'Nobody here is called zed: there is alice, bob; add them with as.people.add({ username: "zed" })',
    );
  }
  assertEquals(as.requests.length, 0);
});

for (const issuer of ["https://as.test", "https://as.test/base"]) {
  test(`authorize: the mock passes a tenant's URL to the tenant (${issuer})`, async () => {
    await using as = await createMock({ ...quick, issuer });
    const acme = as.tenant("acme", { people: [{ username: "wile" }] });
    const callback = await as.authorize(authorizeUrl(acme.issuer), { as: "wile" });
    assertEquals(callback.searchParams.get("iss"), `${issuer}/acme`);
    const form = authorizeUrl(acme.issuer, { response_mode: "form_post" });
    const answer = await (await as.authorizeForm(form.href, { as: "wile" })).text();
    assertEquals(new URLSearchParams(answer).get("iss"), `${issuer}/acme`);
    assertEquals([as.requests.length, acme.requests.length], [0, 2]);
    assertEquals(acme.requests.authorize.last?.person, "wile");
    await assertRejects(
      () => as.authorize(authorizeUrl(acme.issuer), { as: "bob" }),
      TypeError,
      "there is wile",
    );
    await assertRejects(
      () => acme.authorize(authorizeUrl(as.issuer)),
      TypeError,
      `expected an address below as.issuer (${issuer}/acme)`,
    );
    await acme.close();
    const gone = await assertRejects(() => as.authorize(authorizeUrl(`${issuer}/acme`)), Refused) as Refused;
    assertEquals(gone.reason, "path_unknown");
  });
}

test("nextSignIn: decides the next requests in order, for the named client or any, and then the page is shown", async () => {
  await using as = await createMock(quick);
  as.nextSignIn("bob");
  as.nextSignIn({ deny: true }, { client: "app-confidential" });
  as.nextSignIn("alice");
  const open = async (client_id: string) => {
    const response = await as.fetch(authorizeUrl(as.issuer, { client_id }), { redirect: "manual" });
    const location = response.headers.get("location");
    if (location === null) return response.status;
    return new URL(location).searchParams.get("error") ?? as.requests.authorize.last?.person;
  };
  assertEquals(await open("app"), "bob");
  assertEquals(await open("app-confidential"), "access_denied");
  assertEquals(await open("app-confidential"), "alice");
  assertEquals(await open("app"), 200);
});

test("nextSignIn: authorize() uses it, unless it names a person", async () => {
  await using as = await createMock(quick);
  as.nextSignIn("bob");
  await as.authorize(authorizeUrl(as.issuer), { as: "alice" });
  assertEquals(as.requests.authorize.last?.person, "alice");
  await as.authorize(authorizeUrl(as.issuer));
  assertEquals(as.requests.authorize.last?.person, "bob");
});

test("nextSignIn: an entry for one client does not apply to another, and decides one request", async () => {
  await using as = await createMock(quick);
  as.nextSignIn("bob", { client: "app-confidential" });
  await as.authorize(authorizeUrl(as.issuer));
  assertEquals(as.requests.authorize.last?.person, "alice");
  const url = authorizeUrl(as.issuer, { client_id: "app-confidential" });
  await Promise.all([as.authorize(url), as.authorize(url)]);
  assertEquals(as.requests.authorize.toArray().slice(1).map(({ person }) => person).sort(), ["alice", "bob"]);
  as.nextSignIn("bob");
  await as.authorizeForm(authorizeUrl(as.issuer, { response_mode: "form_post" }));
  assertEquals(as.requests.authorize.last?.person, "bob");
});

test("login: without a name, the person signed in at the browser approves, and signs in again with prompt=login", async () => {
  await using as = await createMock(quick);
  const browser = as.browser();
  const first = await as.login("bob", { browser });
  as.clock.advance("10m");
  const again = await as.login(undefined, { browser });
  const fresh = await as.login(undefined, { browser, prompt: "login" });
  const times = [first, again, fresh].map(({ id_token: token }) => decodeJwt(token!)["auth_time"] as number);
  assertEquals(decodeJwt(fresh.access_token).sub, "bob");
  assertEquals(times[1], times[0]);
  assertEquals(times[2]! - times[0]! >= 600, true);
  const silently = { browser, prompt: "none" };
  await assertRejects(() => as.login("alice", silently), TypeError, "bob is signed in at this browser");
});

test("authorize: a URL of another server is refused, and the error does not show its query", async () => {
  await using as = await createMock(quick);
  const url = "https://other.test/oauth2/authorize?state=secret";
  const { message } = await assertRejects(() => as.authorize(url), TypeError);
  assertEquals(
    message,
    "Cannot authorize: expected an address below as.issuer (https://as.test), but got https://other.test/oauth2/authorize",
  );
});

test("people: can be added, changed and removed while the server runs, and the tokens of a removed person end", async () => {
  await using as = await createMock(quick);
  as.people.add({ username: "carol", claims: { name: "Carol" } });
  const tokens = await as.login("carol");
  as.people.change("carol", { claims: { name: "Carol Clark" } });
  const userinfo = async () =>
    await as.fetch("https://as.test/userinfo", {
      headers: { authorization: `Bearer ${tokens.access_token}` },
    });
  assertEquals((await (await userinfo()).json()).name, "Carol Clark");
  as.people.remove("carol");
  assertEquals((await userinfo()).status, 401);
  assertEquals(as.people.all.map(({ username }) => username), ["alice", "bob"]);
  assertThrows(() => as.people.remove("carol"), TypeError, "carol is not among them; there is alice, bob");
  assertThrows(
    () => as.people.add({ username: "bob" }),
    TypeError,
    "Cannot change people: people[2].username must be unique",
  );
  assertEquals(as.people.all.length, 2);
});

test("people: facts and hooks show the user name of a person with another subject", async () => {
  await using as = await createMock({ ...quick, people: [{ username: "dave", sub: "user-7" }] });
  const seen: (string | undefined)[] = [];
  as.on("access_token", (_claims, { person }) => void seen.push(person), { person: "dave" });
  const tokens = await as.login("dave");
  assertEquals(decodeJwt(tokens.access_token).sub, "user-7");
  assertEquals([as.requests.token.last?.person, as.requests.of({ person: "dave" }).length], ["dave", 2]);
  assertEquals(seen, ["dave"]);
});

test("clients: can be added, changed and removed while the server runs, and an invalid one changes nothing", async () => {
  await using as = await createMock(quick);
  as.clients.add({ client_id: "shop", redirect_uris: ["https://shop.test/cb"] });
  const tokens = await as.login("alice", { client: "shop" });
  as.clients.change("shop", { client_name: "The shop" });
  assertEquals(as.clients.get("shop")?.client_name, "The shop");
  await as.refresh(tokens);
  as.clients.remove("shop");
  await assertRejects(() => as.login("alice", { client: "shop" }), TypeError, "There is no client shop");
  const bad = { client_id: "bad", redirect_uris: ["http://bad.test/cb"] };
  assertThrows(
    () => as.clients.add(bad),
    TypeError,
    "Cannot change clients: clients[2].redirect_uris[0] must be https",
  );
  assertEquals(as.clients.all.length, 2);
});

test("clock: the mock's clock is the only one for issuing and checking", async () => {
  const { now } = Date;
  await using as = await createMock({ ...quick, time: () => 1_900_000_000 });
  try {
    Date.now = () => {
      throw new Error("Date.now was called");
    };
    as.clock.freeze("2031-05-05T12:00:00Z");
    const tokens = await as.login("alice");
    const introspect = async () => {
      const form = new URLSearchParams({ token: tokens.access_token });
      const headers = { authorization: `Basic ${btoa("app-confidential:app-secret")}` };
      const response = await as.fetch("https://as.test/oauth2/introspect", {
        method: "POST",
        body: form,
        headers,
      });
      return (await response.json()).active;
    };
    as.clients.change("app-confidential", { introspects: ["https://as.test"] });
    assertEquals(decodeJwt(tokens.access_token).iat, Date.parse("2031-05-05T12:00:00Z") / 1000);
    assertEquals(await introspect(), true);
    as.clock.advance("2h");
    assertEquals(await introspect(), false);
    const again = await as.refresh(tokens);
    assertEquals(decodeJwt(again.access_token).iat, Date.parse("2031-05-05T14:00:00Z") / 1000);
    as.clock.skew("-90s");
    assertEquals(decodeJwt((await as.refresh(again)).access_token).iat, as.clock.now - 90);
  } finally {
    Date.now = now;
  }
});

test("tenant: has its own issuer, people, clients, clock, journal and hooks, at the same origin", async () => {
  await using as = await createMock(quick);
  const acme = as.tenant("acme", { people: [{ username: "wile" }] });
  assertEquals([acme.issuer, as.tenant("acme") === acme], ["https://as.test/acme", true]);
  const tokens = await acme.login("wile");
  assertEquals(decodeJwt(tokens.access_token).iss, "https://as.test/acme");
  await assertRejects(() => as.login("wile"), TypeError, "Nobody here is called wile");
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
  for (
    const path of [
      "/.well-known/oauth-authorization-server/acme",
      "/acme/.well-known/openid-configuration",
      "/.well-known/openid-configuration/acme",
    ]
  ) {
    assertEquals((await (await as.fetch(`https://as.test${path}`)).json()).issuer, "https://as.test/acme");
  }
  assertEquals(
    (await (await acme.fetch("https://as.test/.well-known/openid-configuration")).json()).issuer,
    "https://as.test",
  );
});

test("tenant: a name that is a path of the mock is refused", async () => {
  await using as = await createMock(quick);
  for (const name of ["", "oauth2", "userinfo", "a/b", "..", ".well-known", "é"]) {
    assertThrows(() => as.tenant(name), TypeError, "A tenant cannot be called");
  }
  as.tenant("acme");
  assertThrows(() => as.tenant("acme", { alg: "EdDSA" }), TypeError, "exists already");
});

test("reset: restores the state after createMock", async () => {
  await using as = await createMock(quick);
  const tokens = await as.login("alice");
  as.people.add({ username: "carol" });
  as.clients.remove("app");
  as.clock.freeze(0);
  as.on("token_response", ({ status, members }) => ({ status, members: { ...members, extra: 1 } }));
  as.nextSignIn("bob");
  as.reset();
  assertEquals(as.people.all.length, 2);
  assertEquals(as.clients.all.map((client) => client.client_id), ["app", "app-confidential"]);
  assertEquals(as.requests.length, 0);
  assertEquals(as.clock.now > 1_700_000_000, true);
  await assertRejects(() => as.refresh(tokens), Refused, "invalid_grant");
  assertEquals("extra" in await as.login("alice"), false);
  const response = await as.fetch(authorizeUrl(as.issuer), { redirect: "manual" });
  assertEquals(response.status, 200);
});

for (const alg of ["RS256", "EdDSA"] as const) {
  test(`seed: every byte repeats with ${alg}, and differs with another seed`, async () => {
    const run = async (seed: number | string) => {
      await using as = await createMock({ alg, seed });
      const tokens = await as.login("alice", { client: "app-confidential" });
      return JSON.stringify([
        tokens,
        await as.refresh(tokens),
        as.requests.toArray().map((each) => each.raw()),
      ]);
    };
    const first = await run(1);
    assertEquals(await run(1), first);
    assertNotEquals(await run("another"), first);
  });
}

test("reset: of a mock resets its tenants, and of a tenant only that one", async () => {
  await using as = await createMock(quick);
  const [acme, other] = [as.tenant("acme"), as.tenant("other")];
  for (const tenant of [as, acme, other]) await tenant.login("alice");
  acme.reset();
  assertEquals([as, acme, other].map(({ requests }) => requests.length), [2, 0, 2]);
  as.reset();
  assertEquals([as, acme, other].map(({ requests }) => requests.length), [0, 0, 0]);
});

test("reset: requests from before it fail, and are not recorded after it", async () => {
  await using as = await createMock(quick);
  const gate = as.hold("token");
  const held = as.login("alice");
  await gate.arrived();
  as.reset();
  using _drop = as.drop("token", { count: 1 });
  await assertRejects(() => held, Error, "The mock was reset while this request was running");
  assertEquals(as.requests.length, 0);
  await assertRejects(() => as.login("alice"), Error, "The answer is lost");
});

test("hold: a waiting request meets what the test changes meanwhile", async () => {
  await using as = await createMock(quick);
  const gate = as.hold("token");
  const held = as.login("bob");
  await gate.arrived();
  as.people.remove("bob");
  gate.release();
  const refused = await assertRejects(() => held, Refused) as Refused;
  assertEquals(refused.reason, "code_grant_ended");
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
  await acme.login("carol");
  await acme.close();
  await assertRejects(() => acme.login("carol"), Error, "The tenant acme is closed");
  await as.tenant("acme").login("carol");
});

test("tenant: the same name gives the same tenant, and other options are refused", async () => {
  await using as = await createMock(quick);
  const acme = as.tenant("acme");
  assertEquals(as.tenant("acme", { people: undefined } as unknown as MockOptions), acme);
  assertThrows(() => as.tenant("acme", { people: [] }), TypeError, "The tenant acme exists already");
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

test("tenant: an error names the tenant that cannot be closed, and the mock still closes", async () => {
  const as = await createMock(quick);
  const acme = as.tenant("acme");
  await new Promise<void>((resolve) => {
    acme.on("token_response", () => {
      resolve();
      return new Promise(() => {});
    });
    void acme.login("alice").catch(() => {});
  });
  const { message } = await assertRejects(() => acme.close(), Error);
  assertMatch(message, /^Cannot close the tenant acme: POST \/acme\/oauth2\/token is still running/);
  await as.tenant("acme").login("alice");
  await as.close();
});

test("createMock: an unknown option is refused, and the error lists the known ones", async () => {
  const { message } = await assertRejects(
    () => createMock({ usres: [] } as unknown as MockOptions),
    TypeError,
  );
  assertMatch(message, /^Cannot create mock: usres is not known: known are seed, time, journal, .*people/);
  for (const bad of [{ clients: {} }, { clients: [null] }, { people: [{ name: "x" }] }]) {
    await assertRejects(() => createMock(bad as unknown as MockOptions), TypeError, "Cannot create mock: ");
  }
});

test("reset: a delay that is added after it does not delay requests from before it", async () => {
  await using as = await createMock(quick);
  const gate = as.hold("token");
  const old = as.login("alice").catch(() => "ended");
  await gate.arrived();
  as.reset();
  const late = as.delay("token", "1h", { count: 1 });
  assertEquals(await old, "ended");
  const fresh = as.login("alice").then(() => "late");
  assertEquals(
    await Promise.race([fresh, new Promise((resolve) => setTimeout(resolve, 20, "waits"))]),
    "waits",
  );
  late[Symbol.dispose]();
  await fresh;
});

test("reset: the mock closes even if a hook from before the reset never returns", async () => {
  const as = await createMock(quick);
  as.on("token_response", () => new Promise(() => {}));
  void as.login("alice").catch(() => {});
  await as.requests.next("authorize");
  as.reset();
  await as.login("alice");
  // It would throw if it waited for the hook.
  await as.close();
});

test("nextSignIn: the fault names a person who was removed before the request", async () => {
  await using as = await createMock(quick);
  as.nextSignIn("bob");
  as.people.remove("bob");
  const callback = await as.authorize(authorizeUrl(as.issuer));
  assertEquals(callback.searchParams.get("error"), "server_error");
  assertMatch(`${as.requests.authorize.last?.fault}`, /Cannot sign in bob: this person has been removed/);
});

test("env: gives the settings of an application", async () => {
  await using as = await createMock(quick);
  assertEquals(as.env(), {
    OAUTH_ISSUER: "https://as.test",
    OAUTH_CLIENT_ID: "app",
    OAUTH_REDIRECT_URI: "https://app.test/callback",
  });
  assertEquals(as.env("app-confidential")["OAUTH_CLIENT_SECRET"], "app-secret");
  assertThrows(() => as.env("shop"), TypeError, "There is no client shop");
});

test("env: is about the client that login and mint use, and leaves out a secret that the client does not send", async () => {
  const { publicKey } = await crypto.subtle.generateKey("Ed25519", true, ["sign", "verify"]) as CryptoKeyPair;
  const jwks = { keys: [await crypto.subtle.exportKey("jwk", publicKey)] } as never;
  await using as = await createMock({
    ...quick,
    clients: [
      { client_id: "machine", client_secret: "m", grant_types: ["client_credentials"] },
      { client_id: "app", redirect_uris: ["https://app.test/callback"] },
      {
        ...{ client_id: "signer", client_secret: "unused", jwks, redirect_uris: ["https://app.test/signer"] },
        token_endpoint_auth_method: "private_key_jwt",
      },
    ],
  });
  assertEquals([as.env().OAUTH_CLIENT_ID, decodeJwt(await as.mint())["client_id"]], ["app", "app"]);
  assertEquals(as.env("machine")["OAUTH_CLIENT_SECRET"], "m");
  assertEquals(as.env("signer")["OAUTH_CLIENT_SECRET"], undefined);
});

test("env: with first use gives an example id if no client is configured, and without it needs a client", async () => {
  await using open = await createMock(quick);
  for (const { client_id: id } of open.clients.all) open.clients.remove(id);
  assertEquals(open.env(), { OAUTH_ISSUER: "https://as.test", OAUTH_CLIENT_ID: "my-app" });
  await using closed = await createMock({ ...quick, clients: [] });
  const { message } = assertThrows(() => closed.env(), TypeError);
  assertEquals(
    message,
    "There is no client here: add one with as.clients.add({ client_id, redirect_uris })",
  );
  closed.clients.add({ client_id: "shop", redirect_uris: ["https://shop.test/cb"] });
  assertEquals(closed.env().OAUTH_CLIENT_ID, "shop");
});

test("disposed of: every call rejects and says so", async () => {
  const as = await createMock(quick);
  const acme = as.tenant("acme");
  await as[Symbol.asyncDispose]();
  await as[Symbol.asyncDispose]();
  const words = "This mock is disposed of: make another one with createMock()";
  const uses: readonly (() => unknown)[] = [
    () => as.login("alice"),
    () => as.authorize(authorizeUrl(as.issuer)),
    () => as.authorizeForm(authorizeUrl(as.issuer)),
    () => as.refresh("text"),
    () => as.revoke("text"),
    () => as.endSession({}),
    () => as.mint(),
    () => as.expire("text"),
    () => as.forge("expired"),
    () => as.listen(),
    () => as.fetch("https://as.test/"),
    () => as.protect()(new Request("https://api.test/")),
    () => as.people.add({ username: "carol" }),
    () => as.clients.remove("app"),
  ];
  for (const use of uses) await assertRejects(async () => await use(), Error, words);
  await assertRejects(() => acme.login("alice"), Error, "The tenant acme is closed");
  assertThrows(() => as.intercept(), Error, words);
  assertThrows(() => as.tenant("other"), Error, words);
  assertThrows(() => as.nextSignIn("bob"), Error, words);
  assertThrows(() => as.reset(), Error, words);
  assertThrows(() => as.hold("token"), Error, words);
  assertThrows(() => as.on("metadata", () => undefined), Error, words);
  assertThrows(() => as.delay("token", 1), Error, words);
  assertThrows(() => as.drop("token"), Error, words);
});

test("a hook that throws: the error of login names the hook and its message", async () => {
  await using as = await createMock(quick);
  as.on("token_response", () => {
    throw new Error("no such table");
  });
  const { message } = await assertRejects(() => as.login("alice"), Refused);
  assertMatch(message, /The hook "?token_response"? threw: no such table/);
});

test("front page: lists the people under any issuer, unless frontPage is issuer", async () => {
  for (const issuer of ["https://as.test", "https://id.shop.com"]) {
    for (const [options, isListed] of [[{}, true], [{ frontPage: "issuer" }, false]] as const) {
      await using as = await createMock({ ...quick, issuer, ...options });
      const html = await (await as.fetch(`${issuer}/`)).text();
      assertEquals(html.includes("Alice Adams"), isListed);
    }
  }
});

test("a thousand mocks in one process are independent", async () => {
  const all = await Promise.all(Array.from({ length: 1000 }, () => createMock(quick)));
  const tokens = await Promise.all(all.slice(0, 50).map((as) => as.login("alice")));
  assertEquals(new Set(tokens.map(({ access_token }) => access_token)).size, 50);
  assertEquals(all.map(({ requests }) => requests.length).filter((length) => length > 0), Array(50).fill(2));
  await assertRejects(
    () => all[1]!.refresh({ refresh_token: tokens[0]!.refresh_token! }),
    TypeError,
    "does not know the token",
  );
  await Promise.all(all.map((as) => as[Symbol.asyncDispose]()));
});
