/** A mock as a whole: people and clients, clock, seed, reset, closing and its front page. */

import { assertEquals, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { decodeJwt } from "jose";
import { createMock, type MockOptions, Refused, type Snapshot } from "../../../src/kit/mod.ts";
import { test } from "../../runner.ts";
import { testUsing } from "../../test_in.ts";
import { authorizeUrl } from "./authorize_url.ts";

const quick: MockOptions = { alg: "ES256" };

const it = testUsing(() => createMock(quick));

it("people: can be added, changed and removed while the server runs, and the tokens of a removed person end", async (as) => {
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
  assertThrows(() => as.people.remove("carol"), TypeError, "carol is not known: known are alice, bob");
  const again = "Cannot change people: people[2].username must be unique";
  assertThrows(() => as.people.add({ username: "bob" }), TypeError, again);
  assertEquals(as.people.all.length, 2);
});

test("people: facts and hooks show the username of a person with another subject", async () => {
  await using as = await createMock({ ...quick, people: [{ username: "dave", sub: "user-7" }] });
  const seen: (string | undefined)[] = [];
  as.on("access_token", (_claims, { person }) => void seen.push(person), { person: "dave" });
  const tokens = await as.login("dave");
  assertEquals(decodeJwt(tokens.access_token).sub, "user-7");
  assertEquals([as.requests.token.last?.person, as.requests.of({ person: "dave" }).length], ["dave", 2]);
  assertEquals(seen, ["dave"]);
});

it("clients: can be added, changed and removed while the server runs, and an invalid one changes nothing", async (as) => {
  as.clients.add({ client_id: "shop", redirect_uris: ["https://shop.test/cb"] });
  const tokens = await as.login("alice", { client: "shop" });
  as.clients.change("shop", { client_name: "The shop" });
  assertEquals(as.clients.get("shop")?.client_name, "The shop");
  await as.refresh(tokens);
  as.clients.remove("shop");
  await assertRejects(() => as.login("alice", { client: "shop" }), TypeError, "There is no client shop");
  const bad = { client_id: "bad", redirect_uris: ["http://bad.test/cb"] };
  const wrong = "Cannot change clients: clients[2].redirect_uris[0] must be https";
  assertThrows(() => as.clients.add(bad), TypeError, wrong);
  assertEquals(as.clients.all.length, 2);
});

test("clock: a mock with a seed and a time of its own goes by this time", async () => {
  let time = 1_900_000_000;
  await using as = await createMock({ ...quick, seed: 1, time: () => time });
  time += 60;
  assertEquals([as.clock.now, as.clock.frozen], [time, false]);
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
    const headers = { authorization: `Bearer ${tokens.access_token}` };
    const ask = async () => (await as.fetch("https://as.test/userinfo", { headers })).status;
    assertEquals(decodeJwt(tokens.access_token).iat, Date.parse("2031-05-05T12:00:00Z") / 1000);
    assertEquals(await ask(), 200);
    as.clock.advance("2h");
    assertEquals(await ask(), 401);
    const again = await as.refresh(tokens);
    assertEquals(decodeJwt(again.access_token).iat, Date.parse("2031-05-05T14:00:00Z") / 1000);
    as.clock.skew("-90s");
    assertEquals(decodeJwt((await as.refresh(again)).access_token).iat, as.clock.now - 90);
  } finally {
    Date.now = now;
  }
});

it("reset: restores the state after createMock", async (as) => {
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

test("seed: every byte repeats, and differs with another seed", async () => {
  const run = async (seed: number | string) => {
    await using as = await createMock({ alg: "EdDSA", seed });
    assertEquals(as.clock.date.toISOString(), "2030-01-01T00:00:00.000Z");
    const tokens = await as.login("alice", { client: "app-confidential" });
    const refreshed = await as.refresh(tokens);
    return JSON.stringify([tokens, refreshed, as.requests.map((each) => each.raw())]);
  };
  const first = await run(1);
  assertEquals(await run(1), first);
  assertNotEquals(await run("another"), first);
});

it("reset: requests of other programs from before it get 503, and no connection breaks (RFC 9110 §15.6.4)", async (as) => {
  const { origin } = await as.listen();
  const acme = as.tenant("acme");
  const gates = [as, acme].map((each) => each.hold("token"));
  const held = [as, acme].flatMap((each) =>
    Array.from({ length: 10 }, () => {
      const path = new URL(each.issuer).pathname.replace(/\/$/, "");
      return fetch(`${origin}${path}/oauth2/token`, { method: "POST", body: new URLSearchParams() });
    })
  );
  for (const gate of gates) await gate.arrived(10);
  as.reset();
  for (const response of await Promise.all(held)) {
    assertEquals([response.status, response.headers.get("retry-after")], [503, "1"]);
    assertEquals((await response.json()).error, "temporarily_unavailable");
  }
});

it("reset: requests from before it fail, and are not recorded after it", async (as) => {
  const gate = as.hold("token");
  const held = as.login("alice");
  await gate.arrived();
  as.reset();
  using _drop = as.drop("token", { count: 1 });
  await assertRejects(() => held, Error, "The mock was reset while this request was running");
  assertEquals(as.requests.length, 0);
  await assertRejects(() => as.login("alice"), Error, "The answer is lost");
});

it("reset: the mock closes even if a hook from before the reset never returns", async (as) => {
  as.on("token_response", () => new Promise(() => {}));
  void as.login("alice").catch(() => {});
  await as.requests.next("authorize");
  as.reset();
  await as.login("alice");
  // It would throw if it waited for the hook.
});

test("disposed of: every call rejects and says so", async () => {
  const as = await createMock(quick);
  const acme = as.tenant("acme");
  await as[Symbol.asyncDispose]();
  await as[Symbol.asyncDispose]();
  const words = "This mock is disposed of: create another one with createMock()";
  const uses: readonly (() => unknown)[] = [
    () => as.login("alice"),
    () => as.authorize(authorizeUrl(as.issuer)),
    () => as.authorizeForm(authorizeUrl(as.issuer)),
    () => as.refresh("text"),
    () => as.revoke("text"),
    () => as.endSession({}),
    () => as.mint(),
    () => as.expire("text"),
    () => as.forge("access_token.expired"),
    () => as.listen(),
    () => as.fetch("https://as.test/"),
    () => as.protect()(new Request("https://api.test/")),
    () => as.people.add({ username: "carol" }),
    () => as.clients.remove("app"),
    () => as.intercept(),
    () => as.tenant("other"),
    () => as.nextSignIn("bob"),
    () => as.reset(),
    () => as.hold("token"),
    () => as.on("metadata", () => undefined),
    () => as.delay("token", 1),
    () => as.drop("token"),
    () => as.fail("token"),
    () => as.misbehave("id_token.aud_wrong"),
    () => as.lookLike("github"),
    () => as.rotateKeys(),
    () => as.rotateRefreshToken("text"),
    () => as.idJag({ audience: "https://other.test", client: "app" }),
    () => as.workload("github-actions"),
    () => as.login("alice", { device: true }),
    () => as.approveDevice("text"),
    () => as.codeOf("alice"),
    () => as.authenticatorOf("alice"),
    () => as.certificate("app"),
    () => as.register(),
    () => as.clientDocument(),
    () => as.dpopHeaders("text", "https://api.test/"),
    () => as.resource("https://api.test/"),
    () => as.route("GET /status", () => new Response()),
    () => as.snapshot(),
    () => as.restore({} as Snapshot),
  ];
  for (const use of uses) {
    const error = await assertRejects(async () => await use(), Error);
    assertEquals([error instanceof TypeError, error.message, error.cause], [false, words, undefined]);
  }
  await assertRejects(() => acme.login("alice"), Error, "The tenant acme is closed");
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

test("mocks in one process are independent", async () => {
  const all = await Promise.all(Array.from({ length: 4 }, () => createMock(quick)));
  const tokens = await Promise.all(all.slice(0, 2).map((as) => as.login("alice")));
  assertEquals(new Set(tokens.map(({ access_token }) => access_token)).size, 2);
  assertEquals(all.map(({ requests }) => requests.length).filter((length) => length > 0), Array(2).fill(2));
  const ofAnother = { refresh_token: tokens[0]!.refresh_token! };
  await assertRejects(() => all[1]!.refresh(ofAnother), TypeError, "does not know the token");
  await Promise.all(all.map((as) => as.close()));
});
