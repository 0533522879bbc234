/** Guessing client secrets: after twenty wrong ones the guessing peer is refused for a minute (OAuth 2.1 §2.4.1). */

import { assertEquals } from "@std/assert";
import { memoryStore, type Store } from "../../src/mod.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in_world.ts";
import { basic, createBrowser, createWorld, encodeForm, inWorld, type Params, type World } from "../world.ts";
import { formType, readRefusal } from "./site.ts";

const secret = "basic secret: a+b%c";
const mostFailures = 20;

interface Guesser {
  readonly peer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A client's credentials, in the form or in the header. */
type Credentials = Params | { readonly authorization: string };

/** A token request with a wrong code, because only client authentication matters here. */
async function guess(world: World, credentials: Credentials, who: Guesser = {}): Promise<Response> {
  const { authorization, ...fields } = credentials;
  const request = new Request(`${world.issuer}/oauth2/token`, {
    method: "POST",
    body: encodeForm({ grant_type: "authorization_code", code: "x", ...fields }),
    headers: {
      ...formType,
      ...who.headers,
      ...(authorization === undefined ? {} : { authorization: `${authorization}` }),
    },
  });
  return await world.fetch(request, who.peer === undefined ? {} : { peer: who.peer });
}

const right = basic("basic", secret);
const wrong = basic("basic", "guess");

/** 400 means that the client was authenticated, because only the code is wrong. */
async function assertStatus(expected: number, world: World, credentials: Credentials, who?: Guesser) {
  assertEquals((await guess(world, credentials, who)).status, expected);
}

async function fail(world: World, times: number, who: Guesser = {}, credentials: Credentials = wrong) {
  for (let time = 0; time < times; time++) await assertStatus(401, world, credentials, who);
}

const it = testInWorld({});

it("throttling: the 21st attempt is refused even with the right secret, which works a minute later", async (world) => {
  await fail(world, mostFailures - 1);
  await assertStatus(400, world, right);
  await fail(world, 1);
  for (const credentials of [right, wrong]) {
    const refused = await guess(world, credentials);
    assertEquals(await readRefusal(refused), "429 temporarily_unavailable");
    assertEquals(refused.headers.get("retry-after"), "60");
    assertEquals(world.lastRefusal()?.reason, "too_many_failures");
  }
  world.clock.advance(59);
  await assertStatus(429, world, right);
  world.clock.advance(1);
  await assertStatus(400, world, right);
  await fail(world, mostFailures);
  await assertStatus(429, world, right);
});

it("throttling: a blocked peer and client block no other peer and no other client", async (world) => {
  const peer = "192.0.2.1";
  await fail(world, mostFailures, { peer });
  await assertStatus(429, world, right, { peer });
  await assertStatus(400, world, right, { peer: "192.0.2.2" });
  await assertStatus(400, world, right, {});
  await assertStatus(400, world, { client_id: "post", client_secret: "post-secret" }, { peer });
  await assertStatus(400, world, { client_id: "public" }, { peer });
});

test("throttling: failures of a client block no person of the same name, nor the other way round", () => {
  const people = [
    { username: "basic", sub: "b", password: "correct horse" },
    { username: "post", sub: "p", password: "battery" },
  ];
  return inWorld({ login: "picker", people }, async (world) => {
    const browser = createBrowser(world);
    const signIn = async (username: string, password: string) =>
      (await browser.submit(await browser.open(world.authorizeUrl()), { username, password })).status;
    await fail(world, mostFailures);
    await assertStatus(429, world, right);
    for (let time = 0; time < mostFailures; time++) assertEquals(await signIn("post", "guess"), 400);
    assertEquals(await signIn("post", "battery"), 429);
    await assertStatus(400, world, { client_id: "post", client_secret: "post-secret" });
    assertEquals(await signIn("basic", "correct horse"), 200);
  });
});

test("throttling: the right password of a person ends the count of wrong ones", () => {
  const people = [{ username: "alice", sub: "subject-of-a", password: "correct horse" }];
  return inWorld({ login: "picker", people }, async (world) => {
    const signIn = async (password: string) => {
      const browser = createBrowser(world);
      const page = await browser.open(world.authorizeUrl());
      return (await browser.submit(page, { username: "alice", password })).status;
    };
    for (let count = 1; count < mostFailures; count++) assertEquals(await signIn("guess"), 400);
    assertEquals(await signIn("correct horse"), 200);
    assertEquals(await signIn("guess"), 400);
  });
});

it("throttling: guesses of a page of another site do not block the client's own programs", async (world) => {
  const page = { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } };
  await fail(world, mostFailures, page);
  await assertStatus(429, world, right, page);
  await assertStatus(400, world, right);
  await fail(world, mostFailures);
  await assertStatus(429, world, right);
});

it("throttling: wrong secrets in the header and in the form share one count", async (world) => {
  await fail(world, mostFailures / 2);
  await fail(world, mostFailures / 2, {}, { client_id: "basic", client_secret: "guess" });
  await assertStatus(429, world, right);
  await assertStatus(429, world, { client_id: "basic", client_secret: secret });
});

it("throttling: unknown clients are throttled too, so that 429 does not show that a client exists", async (world) => {
  const unknown = basic("unknown", "guess");
  await fail(world, mostFailures, {}, unknown);
  await assertStatus(429, world, unknown);
});

test("throttling: guesses are counted for a first-use client whose id can be read in two ways", async () => {
  await using world = createWorld({ login: "auto", firstUse: true });
  // Decoded as a form, its id is "basic".
  await world.code({ client_id: "%62asic", redirect_uri: "http://localhost:3000/callback" });
  const credentials = { authorization: `Basic ${btoa("%62asic:guess")}` };
  await fail(world, mostFailures, {}, credentials);
  await assertStatus(429, world, credentials);
});

it("throttling: all addresses of one IPv6 /64 are one peer", async (world) => {
  for (let time = 0; time < mostFailures; time++) await fail(world, 1, { peer: `2001:db8:0:1::${time}` });
  await assertStatus(429, world, right, { peer: "2001:db8:0:1:ffff::1" });
  await assertStatus(400, world, right, { peer: "2001:db8:0:2::1" });
});

it("throttling: setting the clock back does not prolong the block", async (world) => {
  await fail(world, mostFailures);
  world.clock.advance(-3600);
  await assertStatus(400, world, right);
  await fail(world, mostFailures);
  await assertStatus(429, world, right);
  world.clock.advance(61);
  await assertStatus(400, world, right);
});

/** Headers in which a proxy could name the peer. A client can send them as well. */
const forwarding = (address: string) => ({
  "x-forwarded-for": address,
  forwarded: `for=${address};proto=https`,
  "x-real-ip": address,
  "cf-connecting-ip": address,
  "true-client-ip": address,
  "x-client-ip": address,
  "x-cluster-client-ip": address,
});

it("throttling: forwarding headers neither evade it nor block another peer", async (world) => {
  const [attacker, victim] = ["192.0.2.1", "192.0.2.2"];
  const as = (peer: string, said: string) => ({ peer, headers: forwarding(said) });
  for (let time = 0; time < mostFailures; time++) await fail(world, 1, as(attacker, `198.51.100.${time}`));
  await assertStatus(429, world, right, as(attacker, "198.51.100.99"));
  await assertStatus(429, world, right, { peer: attacker });
  await assertStatus(429, world, wrong, as(attacker, victim));
  await assertStatus(400, world, right, { peer: victim });
  await assertStatus(400, world, right, as(victim, attacker));
});

it("throttling: of a hundred secrets at the same time twenty are checked, and then the client is blocked", async (world) => {
  const answers = await Promise.all(Array.from({ length: 100 }, () => guess(world, wrong)));
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  assertEquals([count(401), count(429)], [mostFailures, 100 - mostFailures]);
  await assertStatus(429, world, right);
});

test("throttling: a count that other requests change all the time is tried a hundred times, and the client gets 503", () => {
  let attempts = 0;
  const memory = memoryStore();
  const put: Store["put"] = (kind, id, value, terms) => {
    if (kind.name !== "throttle") return memory.put(kind, id, value, terms);
    attempts++;
    return Promise.resolve(undefined);
  };
  return inWorld({ store: { ...memory, put } }, async (world) => {
    await assertStatus(503, world, wrong);
    assertEquals(attempts, 100);
  });
});
