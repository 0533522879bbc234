/** Automatic sign-in: sessions, sid and sign-out as with pages, but without a page (OpenID Connect Core §3.1.2.1). */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { defaultFeatures, everyFeature } from "../../../src/server/features/mod.ts";
import { sessions } from "../../../src/server/oauth/contracts/session.ts";
import { clientSourceToy, publicRedirectUri } from "../../architecture/client_source_toy.ts";
import {
  agree,
  allAlive,
  allDead,
  answerOf,
  ask,
  claimsOf,
  inOpenId,
  livesOf,
  logOut,
  refresh,
  screenOf,
  signIn,
  tokensOf,
} from "../openid/openid_world.ts";
import { countingStore } from "../../security/counting_store.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { type Browser, createBrowser, type World, type WorldOptions } from "../../world.ts";

const it = testWith();

const inAutomatic = (options: WorldOptions, work: (world: World, browser: Browser) => Promise<void>) =>
  inOpenId({ login: "auto", ...options }, work);

/** The headers of a browser that follows a link from another page of the same site. */
const followed = {
  "sec-fetch-site": "same-site",
  "sec-fetch-mode": "navigate",
  "sec-fetch-dest": "document",
};

test("automatic sign-in: the browser gets a session, and the ID token has its sid", () =>
  inAutomatic({}, async (world, browser) => {
    const first = await claimsOf(world, await signIn(world, browser, "alice"));
    world.clock.advance(60);
    const second = await claimsOf(
      world,
      await signIn(world, browser, "alice", { client_id: "shop" }),
      "shop",
    );
    assertEquals([second["sid"], second["auth_time"]], [first["sid"], first["auth_time"]]);
    assertEquals(typeof first["sid"], "string");
    const other = await claimsOf(world, await signIn(world, createBrowser(world), "alice"));
    assertNotEquals(other["sid"], first["sid"]);
  }));

test("automatic sign-in: amr is absent, because no password was checked", () =>
  inAutomatic({ login: "auto:carol" }, async (world, browser) => {
    assertEquals((await claimsOf(world, await signIn(world, browser, "carol")))["amr"], undefined);
  }));

test("automatic sign-in: prompt=none needs a session (OpenID Connect Core §3.1.2.6)", () =>
  inAutomatic({}, async (world, browser) => {
    const silent = async (changed = {}) =>
      answerOf(await ask(world, browser, { prompt: "none", ...changed })).get("error");
    assertEquals(await silent(), "login_required");
    assertEquals(world.lastRefusal()?.reason, "would_have_to_ask");
    assertEquals(browser.cookies.size, 0);
    await signIn(world, browser, "alice");
    assertEquals(await silent(), null);
    assertEquals(await silent({ login_hint: "bob" }), "login_required");
    world.clock.advance(61);
    assertEquals(await silent({ max_age: "60" }), "login_required");
    await browser.submit(await logOut(browser), { decision: "sign_out" });
    assertEquals(await silent(), "login_required");
  }));

test("automatic sign-in: the hint decides, or else the configured person, without a chooser", () =>
  inAutomatic({}, async (world, browser) => {
    const changes = [{}, { login_hint: "bob" }, {}, { prompt: "select_account" }, { login_hint: "bob" }];
    for (const changed of changes) {
      const page = await ask(world, browser, changed);
      assertEquals(screenOf(page), "client");
      const { sub } = await claimsOf(world, await tokensOf(world, page));
      assertEquals(sub, "login_hint" in changed ? "subject-of-b" : "subject-of-a");
    }
  }));

const hinted = [
  { username: "anna", claims: { email: "anna@example.com" } },
  { username: "bob", sub: "b", claims: { email: "Bob@example.com" } },
  { username: "Ben", sub: "ben-1", claims: { email: "shared@example.com" } },
  { username: "BEN", sub: "ben-2", claims: { email: "shared@example.com" } },
  { username: "eve", claims: { email: 7 } },
];

test("automatic sign-in: the hint is a username or an email, in any case if one person has it", () =>
  inAutomatic({ people: hinted }, async (world, browser) => {
    const subjects = [
      ...[["bob", "b"], ["Bob", "b"], ["bob@example.com", "b"], ["BOB@EXAMPLE.COM", "b"]],
      ...[["Ben", "ben-1"], ["BEN", "ben-2"], ["EVE", "eve"]],
    ] as const;
    for (const [login_hint, sub] of subjects) {
      const page = await ask(world, browser, { login_hint });
      assertEquals(world.journal.at(-1)?.facts.advice, undefined, login_hint);
      assertEquals((await claimsOf(world, await tokensOf(world, page))).sub, sub, login_hint);
    }
  }));

test("automatic sign-in: a hint that fits no single person signs in the usual person, with advice in the journal", () =>
  inAutomatic({ people: hinted }, async (world, browser) => {
    const people = "the username or the email of one person, for example anna, anna@example.com, bob, " +
      "Bob@example.com";
    const unknownHints = [
      ["zoltan", people],
      ["ben", "perhaps login_hint=Ben"],
      ["shared@example.com", people],
      ["bob@exmple.com", "perhaps login_hint=bob"],
      ["x".repeat(200), people],
    ] as const;
    for (const [login_hint, expected] of unknownHints) {
      const page = await ask(world, browser, { login_hint });
      assertEquals(answerOf(page).get("error"), null);
      assertEquals(world.journal.at(-1)?.facts.advice, {
        reason: "login_hint_unknown",
        description: "No single person has this login_hint, so the server chooses anna",
        spec: "OpenID Connect Core §3.1.2.1",
        expected,
        received: `login_hint=${login_hint.length > 80 ? `${"x".repeat(80)}…` : login_hint}`,
        change: "Send the username or the email of one person as login_hint.",
      });
      assertEquals((await claimsOf(world, await tokensOf(world, page))).sub, "anna");
    }
  }));

test("automatic sign-in: prompt=login and max_age renew the sign-in in the same session (OpenID Connect Core §3.1.2.1)", () =>
  inAutomatic({}, async (world, browser) => {
    const old = await signIn(world, browser, "alice");
    const { sid } = await claimsOf(world, old);
    for (const changed of [{ prompt: "login" }, { max_age: "60" }, { max_age: "0" }]) {
      world.clock.advance(61);
      const claims = await claimsOf(world, await signIn(world, browser, "alice", changed));
      assertEquals([claims["auth_time"], claims["sid"]], [world.clock.now, sid]);
    }
    world.clock.advance(59);
    const claims = await claimsOf(world, await signIn(world, browser, "alice", { max_age: "60" }));
    assertEquals(claims["auth_time"], world.clock.now - 59);
    assertEquals(await livesOf(world, old), allAlive);
  }));

it("automatic sign-in: HEAD starts no session (RFC 9110 §9.2.1)", async ({ world, store }) => {
  const response = await world.fetch(new Request(world.authorizeUrl(), { method: "HEAD" }));
  assertEquals([response.status, response.headers.getSetCookie(), store.writes], [200, [], []]);
});

it("automatic sign-in: a new session is one write, and an existing one is none", async ({ world, store }) => {
  /** The writes of one whole flow, and the session cookie afterwards. */
  async function flow(headers: HeadersInit): Promise<readonly [kinds: readonly string[], cookie: string]> {
    store.forget();
    const answer = await world.get(world.authorizeUrl(), headers);
    const code = new URL(answer.headers.get("location")!).searchParams.get("code")!;
    assertEquals((await world.redeem(code)).status, 200);
    const kinds = store.writes.map((line) => line.split(" ", 2).join(" "));
    return [kinds, answer.headers.getSetCookie()[0]?.split(";")[0] ?? ""];
  }
  const grant = ["put grant", "put grant"];
  for (const headers of [{}, followed]) {
    const [first, cookie] = await flow(headers);
    assertEquals(first, ["put session", ...grant]);
    assertEquals(await flow({ ...headers, cookie }), [grant, ""]);
    world.clock.advance(600);
    assertEquals(await flow({ ...headers, cookie }), [grant, ""]);
  }
});

const day = 86_400;

test("automatic sign-in: sessions of callers without cookies expire early, and their tokens stay valid", async () => {
  const store = countingStore();
  await inAutomatic({ store }, async (world) => {
    const count = async () => {
      let live = 0;
      for await (const { expiresAt } of store.list!(sessions)) live += expiresAt > world.clock.now ? 1 : 0;
      return live;
    };
    for (let caller = 0; caller < 5; caller++) await ask(world, createBrowser(world));
    const tokens = await signIn(world, createBrowser(world), "alice");
    assertEquals(await count(), 6);
    world.clock.advance(3900);
    assertEquals(await count(), 0);
    let { refresh_token } = tokens;
    for (let use = 0; use < 3; use++) {
      world.clock.advance(10 * day);
      ({ refresh_token } = await (await refresh(world, refresh_token)).json());
    }
    assert(refresh_token);
  });
});

test("automatic sign-in: a sign-out ends the tokens of a caller without cookies for good (OpenID Connect RP-Initiated Logout §2)", () =>
  inAutomatic({}, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    await logOut(browser, { id_token_hint: tokens.id_token });
    // A later sign-in in the same session does not shorten the memory of the sign-out.
    await signIn(world, browser, "alice");
    // At once, when the session would have expired, and shortly before the refresh token would.
    for (const seconds of [0, 3901, 29 * day]) {
      world.clock.advance(seconds);
      assertEquals((await refresh(world, tokens.refresh_token)).status, 400);
    }
  }));

test("automatic sign-in: who signs in again in a session that began without cookies keeps the tokens", () =>
  inAutomatic({ lifetimes: { session: 1800 } }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    world.clock.advance(1000);
    await signIn(world, browser, "bob", { login_hint: "bob" });
    world.clock.advance(900);
    await signIn(world, browser, "alice", { login_hint: "alice" });
    assertEquals(await livesOf(world, tokens), allAlive);
  }));

test("automatic sign-in: a later login in a session that began without cookies gets tokens that outlive it", () =>
  inAutomatic({}, async (world, browser) => {
    const first = await claimsOf(world, await signIn(world, browser, "alice"));
    world.clock.advance(60);
    const tokens = await signIn(world, browser, "alice");
    const { auth_time } = await claimsOf(world, tokens);
    assertEquals(auth_time, first["auth_time"]);
    world.clock.advance(10 * day);
    assertEquals((await refresh(world, tokens.refresh_token)).status, 200);
  }));

test("automatic sign-in: the session of a caller that returns its cookie has the usual lifetime", () =>
  inAutomatic({}, async (world, browser) => {
    const { sid } = await claimsOf(world, await signIn(world, browser, "alice"));
    const signedInAt = world.clock.now;
    for (const seconds of [3700, 3600, 8 * 3600 - 7301]) {
      world.clock.advance(seconds);
      assertEquals((await claimsOf(world, await signIn(world, browser, "alice")))["sid"], sid);
    }
    world.clock.advance(1);
    const claims = await claimsOf(world, await signIn(world, browser, "alice"));
    assertNotEquals(claims["sid"], sid);
    assertEquals(claims["auth_time"], signedInAt + 8 * 3600);
    // The cookie of an ended session shows, too, that the caller keeps cookies.
    world.clock.advance(2 * 3600);
    assertEquals((await claimsOf(world, await signIn(world, browser, "alice")))["sid"], claims["sid"]);
  }));

// Over http beyond loopback, browsers send no Sec-Fetch headers.
for (const headers of [followed, { accept: "text/html,application/xml;q=0.9,*/*;q=0.8" }]) {
  const [name] = Object.keys(headers);
  test(`automatic sign-in: the session of a browser, known by ${name}, has the usual lifetime and ends its tokens`, () =>
    inAutomatic({ lifetimes: { session: 1800, accessToken: 7200 } }, async (world) => {
      const answer = await world.get(
        world.authorizeUrl({ client_id: "app", redirect_uri: "https://app.example/cb", scope: "openid" }),
        headers,
      );
      const page = {
        url: "",
        status: 303,
        headers: answer.headers,
        html: "",
        leftFor: answer.headers.get("location")!,
      };
      const tokens = await tokensOf(world, page);
      world.clock.advance(1799);
      assertEquals(await livesOf(world, tokens), allAlive);
      world.clock.advance(1);
      assertEquals(await livesOf(world, tokens), allDead);
    }));
}

test("automatic sign-in: a client that no operator has configured gets no code without a page beyond the test network", () =>
  inAutomatic(
    { features: [...defaultFeatures(everyFeature), clientSourceToy.feature] },
    async (world, browser) => {
      const toy = { client_id: "toy:stranger", redirect_uri: publicRedirectUri };
      const silent = async () => {
        await ask(world, browser, { ...toy, prompt: "none" });
        return world.lastRefusal()?.error;
      };
      const page = await ask(world, browser, toy);
      assertEquals([screenOf(page), page.html.includes('id="from-another-site"')], ["consent", false]);
      await signIn(world, browser, "alice");
      assertEquals([screenOf(await ask(world, browser, toy)), await silent()], [
        "consent",
        "consent_required",
      ]);
      assertEquals(screenOf(await agree(browser, page, "alice")), "client");
      // The person's approval is for one request.
      assertEquals([screenOf(await ask(world, browser, toy)), await silent()], [
        "consent",
        "consent_required",
      ]);
    },
  ));
