/** Guessing secrets: after twenty wrong ones the guessing peer is refused for a minute (OAuth 2.1 §2.4.1). */

import { assert, assertEquals } from "@std/assert";
import { test } from "../runner.ts";
import { basic, createBrowser, inWorld, type Page, type Params, type World } from "../world.ts";
import { formType, readRefusal } from "./site.ts";

const secret = "basic secret: a+b%c";
const mostFailures = 20;

interface Guesser {
  readonly peer?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A token request with a wrong code, because only client authentication matters here. */
async function guess(
  world: World,
  credentials: Params | { readonly authorization: string },
  who: Guesser = {},
): Promise<Response> {
  const inHeader = "authorization" in credentials;
  const body = new URLSearchParams({ grant_type: "authorization_code", code: "x" });
  if (!inHeader) { for (const [name, value] of Object.entries(credentials)) body.set(name, String(value)); }
  const request = new Request(`${world.issuer}/oauth2/token`, {
    method: "POST",
    body: `${body}`,
    headers: {
      ...formType,
      ...who.headers,
      ...(inHeader ? { authorization: `${credentials["authorization"]}` } : {}),
    },
  });
  return await world.fetch(request, who.peer === undefined ? {} : { peer: who.peer });
}

async function statusOf(response: Promise<Response>): Promise<number> {
  return (await response).status;
}

const right = basic("basic", secret);
const wrong = basic("basic", "guess");

async function fail(world: World, times: number, who: Guesser = {}): Promise<void> {
  for (let time = 0; time < times; time++) {
    assertEquals(await statusOf(guess(world, wrong, who)), 401, `${time}`);
  }
}

test("throttling: the 21st attempt is refused even with the right secret, which works a minute later", async () => {
  await inWorld({}, async (world) => {
    await fail(world, mostFailures - 1);
    assertEquals(await statusOf(guess(world, right)), 400); // authenticated: only the code is wrong
    await fail(world, 1);
    for (const credentials of [right, wrong]) {
      const refused = await guess(world, credentials);
      assertEquals(await readRefusal(refused), "429 temporarily_unavailable");
      const wait = Number(refused.headers.get("retry-after"));
      assert(Number.isInteger(wait) && wait > 0 && wait <= 60, `Retry-After: ${wait}`);
      assertEquals(world.lastRefusal()?.reason, "too_many_failures");
    }
    world.clock.advance(30);
    assertEquals(await statusOf(guess(world, right)), 429);
    world.clock.advance(31);
    assertEquals(await statusOf(guess(world, right)), 400);
    await fail(world, mostFailures);
    assertEquals(await statusOf(guess(world, right)), 429);
  });
});

test("throttling: a blocked peer and client block no other peer and no other client", async () => {
  await inWorld({}, async (world) => {
    await fail(world, mostFailures, { peer: "192.0.2.1" });
    assertEquals(await statusOf(guess(world, right, { peer: "192.0.2.1" })), 429);
    assertEquals(await statusOf(guess(world, right, { peer: "192.0.2.2" })), 400);
    assertEquals(await statusOf(guess(world, right, {})), 400);
    const post = { client_id: "post", client_secret: "post-secret" };
    assertEquals(await statusOf(guess(world, post, { peer: "192.0.2.1" })), 400);
    assertEquals(await statusOf(guess(world, { client_id: "public" }, { peer: "192.0.2.1" })), 400);
  });
});

test("throttling: guesses of a page of another site do not block the client's own programs", async () => {
  await inWorld({}, async (world) => {
    const page = { headers: { origin: "https://evil.example", "sec-fetch-site": "cross-site" } };
    await fail(world, mostFailures, page);
    assertEquals(await statusOf(guess(world, right, page)), 429);
    assertEquals(await statusOf(guess(world, right)), 400);
    await fail(world, mostFailures);
    assertEquals(await statusOf(guess(world, right)), 429);
  });
});

test("throttling: wrong secrets in the header and in the form share one count", async () => {
  await inWorld({}, async (world) => {
    for (let time = 0; time < mostFailures; time++) {
      const credentials = time % 2 === 0 ? wrong : { client_id: "basic", client_secret: "guess" };
      assertEquals(await statusOf(guess(world, credentials)), 401);
    }
    assertEquals(await statusOf(guess(world, right)), 429);
    assertEquals(await statusOf(guess(world, { client_id: "basic", client_secret: secret })), 429);
  });
});

test("throttling: unknown clients are throttled too, so that 429 does not show that a client exists", async () => {
  await inWorld({}, async (world) => {
    const unknown = basic("unknown", "guess");
    for (let time = 0; time < mostFailures; time++) assertEquals(await statusOf(guess(world, unknown)), 401);
    assertEquals(await statusOf(guess(world, unknown)), 429);
  });
});

test("throttling: guesses are counted for a first-use client whose id can be read in two ways", async () => {
  await inWorld({ login: "auto", firstUse: true }, async (world) => {
    // Decoded as a form, its id is "basic".
    await world.code({ client_id: "%62asic", redirect_uri: "http://localhost:3000/callback" });
    const headers = (secret: string) => ({ authorization: `Basic ${btoa(`%62asic:${secret}`)}` });
    for (let time = 0; time < mostFailures; time++) {
      assertEquals(await statusOf(guess(world, headers(`guess ${time}`))), 401);
    }
    assertEquals(await statusOf(guess(world, headers("one more"))), 429);
  });
});

test("throttling: all addresses of one IPv6 /64 are one peer", async () => {
  await inWorld({}, async (world) => {
    for (let time = 0; time < mostFailures; time++) {
      assertEquals(await statusOf(guess(world, wrong, { peer: `2001:db8:0:1::${time}` })), 401);
    }
    assertEquals(await statusOf(guess(world, right, { peer: "2001:db8:0:1:ffff::1" })), 429);
    assertEquals(await statusOf(guess(world, right, { peer: "2001:db8:0:2::1" })), 400);
  });
});

test("throttling: setting the clock back does not prolong the block", async () => {
  await inWorld({}, async (world) => {
    await fail(world, mostFailures);
    world.clock.advance(-3600);
    assertEquals(await statusOf(guess(world, right)), 400);
    await fail(world, mostFailures);
    assertEquals(await statusOf(guess(world, right)), 429);
    world.clock.advance(61);
    assertEquals(await statusOf(guess(world, right)), 400);
  });
});

const spoofed: readonly ((time: number) => Record<string, string>)[] = [
  (time) => ({ "x-forwarded-for": `198.51.100.${time}` }),
  (time) => ({ forwarded: `for=198.51.100.${time};proto=https` }),
  (time) => ({ "x-real-ip": `198.51.100.${time}` }),
  (time) => ({ "cf-connecting-ip": `198.51.100.${time}`, "true-client-ip": `198.51.100.${time}` }),
  (time) => ({ "x-client-ip": `198.51.100.${time}`, "x-cluster-client-ip": `198.51.100.${time}` }),
];

for (const headersOf of spoofed) {
  test(`throttling: ${Object.keys(headersOf(0))} neither evades it nor blocks another peer`, async () => {
    await inWorld({}, async (world) => {
      const attacker = "192.0.2.1", victim = "192.0.2.2";
      for (let time = 0; time < mostFailures; time++) {
        const headers = headersOf(time);
        assertEquals(await statusOf(guess(world, wrong, { peer: attacker, headers })), 401);
      }
      assertEquals(await statusOf(guess(world, right, { peer: attacker, headers: headersOf(99) })), 429);
      assertEquals(await statusOf(guess(world, right, { peer: attacker })), 429);
      const framed = Object.fromEntries(Object.keys(headersOf(0)).map((name) => [name, victim]));
      assertEquals(await statusOf(guess(world, wrong, { peer: attacker, headers: framed })), 429);
      assertEquals(await statusOf(guess(world, right, { peer: victim })), 400);
      assertEquals(await statusOf(guess(world, right, { peer: victim, headers: framed })), 400);
    });
  });
}

const people = [{ username: "carol", password: "correct horse" }, {
  username: "dave",
  password: "battery staple",
}];

async function signIn(
  world: World,
  page: Page,
  fields: Params,
  browser = createBrowser(world),
): Promise<Page> {
  return await browser.submit(page, fields);
}

test("passwords: after twenty wrong ones the account is blocked for a minute, and no other account", async () => {
  await inWorld({ login: "picker", people }, async (world) => {
    const browser = createBrowser(world);
    let page = await browser.open(world.authorizeUrl());
    for (let time = 0; time < mostFailures; time++) {
      page = await signIn(world, page, { username: "carol", password: "guess" }, browser);
      assertEquals(page.status, 400);
      assert(!page.html.includes("too many"), page.html);
    }
    page = await signIn(world, page, { username: "carol", password: "correct horse" }, browser);
    assert(page.html.includes("too many attempts"), "the right password was accepted");
    assertEquals([page.status, page.headers.get("retry-after")], [429, "60"]);
    assertEquals([...browser.cookies.keys()].filter((name) => name.includes("session")), []);
    const other = await signIn(world, page, { username: "dave", password: "battery staple" }, browser);
    assertEquals(other.status, 200);
    world.clock.advance(61);
    page = await signIn(world, page, { username: "carol", password: "correct horse" }, browser);
    assertEquals(page.status, 200);
    assert(page.html.includes('value="approve"'), "no consent page");
  });
});

test("throttling: secrets tried at the same time: of a hundred guesses twenty are checked, and then the client is blocked", async () => {
  await inWorld({}, async (world) => {
    const statuses = await Promise.all(Array.from({ length: 100 }, () => statusOf(guess(world, wrong))));
    assertEquals(statuses.filter((status) => status === 401).length, mostFailures);
    assertEquals(statuses.filter((status) => status === 429).length, 100 - mostFailures);
    assertEquals(await statusOf(guess(world, right)), 429);
  });
});

test("throttling: passwords tried at the same time: of a hundred guesses twenty are checked, and a late right one is refused", async () => {
  await inWorld({ login: "picker", people }, async (world) => {
    const first = createBrowser(world);
    const page = await first.open(world.authorizeUrl());
    const guesses = Array.from({ length: 100 }, async (_none, place) => {
      const browser = createBrowser(world);
      for (const [name, value] of first.cookies) browser.cookies.set(name, value);
      const password = place === 90 ? "correct horse" : "guess";
      return await browser.submit(page, { username: "carol", password });
    });
    const answers = await Promise.all(guesses);
    assertEquals(
      answers.filter(({ status }) => status === 200).length,
      0,
      "the right password, guess 90, was checked",
    );
    // The others are refused unchecked: there are too many for the account, or too many at the same time.
    assertEquals(answers.filter(({ status }) => status === 400).length, mostFailures);
    assert(answers.every(({ status }) => [400, 429, 503].includes(status)));
  });
});

test("throttling: link-local addresses of one zone are one peer (RFC 4007 §11)", async () => {
  await inWorld({}, async (world) => {
    for (let time = 0; time < mostFailures; time++) await fail(world, 1, { peer: `fe80::${time}%eth0` });
    assertEquals(await statusOf(guess(world, right, { peer: "fe80::ffff%eth0" })), 429);
    assertEquals(await statusOf(guess(world, right, { peer: "fe80::ffff%eth1" })), 400);
  });
});
