/** Sign-in with one click, with a password and automatically, and the cookies that it sets. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { byId, findAll, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { createBrowser, inWorld, type Page, type World } from "../../world.ts";
import { assertTokens } from "./refusals.ts";

const people = [
  { username: "alice" },
  {
    username: "carol",
    sub: "00000000-0000-4000-8000-000000000001",
    password: "correct horse: battery+staple%",
  },
];
const options = { login: "picker", people };

const it = testWith(options);

async function subjectAfter(world: World, consent: Page, browser: ReturnType<typeof createBrowser>) {
  const answer = await browser.submit(consent, { decision: "approve" });
  const code = new URL(answer.leftFor!).searchParams.get("code")!;
  const tokens = await assertTokens(await world.redeem(code));
  return decodeJwt(String(tokens["access_token"]));
}

it("sign-in: with one click for people without a password, and auth_time is its time (OAuth 2.1 §3.1; RFC 9068 §2.2.1)", async ({ world, browser }) => {
  const signedInAt = world.clock.now;
  const consent = await browser.submit(await browser.open(world.authorizeUrl()), { person: "alice" });
  world.clock.advance(100);
  const claims = await subjectAfter(world, consent, browser);
  assertEquals([claims.sub, claims["amr"]], ["alice", undefined]);
  assertEquals([claims["auth_time"], claims.iat], [signedInAt, signedInAt + 100]);
});

it("sign-in: a cookie that is no secret of this server is replaced (RFC 9700 §4.7)", async ({ world, browser }) => {
  await browser.open(world.authorizeUrl());
  const [name, secret = ""] = [...browser.cookies].find(([name]) => name.includes("browser"))!;
  for (const value of [secret, `x${secret}`, `${secret}x`, secret.slice(1), secret.replace(/.$/, ".")]) {
    const { headers } = await world.get(world.authorizeUrl(), { cookie: `${name}=${value}` });
    assertEquals(headers.get("set-cookie")?.startsWith(`${name}=`) ?? false, value !== secret, value);
  }
});

/** The message on the page, and the refusal in the journal. */
const wrong: readonly (readonly [
  name: string,
  fields: Record<string, string>,
  problem: RegExp,
  reason: string,
])[] = [
  ["a wrong password", { username: "carol", password: "wrong" }, /password is not right/, "wrong_password"],
  ["an empty password", { username: "carol", password: "" }, /password is not right/, "wrong_password"],
  ["an unknown name", { username: "unknown", password: "wrong" }, /No person has that/, "unknown_person"],
  [
    "a password for a person without one",
    { username: "alice", password: "" },
    /has no password, and signs in with one click/,
    "password_not_set",
  ],
  ["nothing at all", {}, /No person has that/, "unknown_person"],
  [
    "one click for a person with a password",
    { person: "carol" },
    /signs in with a password/,
    "password_needed",
  ],
  ["one click for an unknown person", { person: "unknown" }, /No person has that/, "unknown_person"],
  [
    "one click for the name of a JavaScript member",
    { person: "__proto__" },
    /No person has that/,
    "unknown_person",
  ],
];

// One server, because each password of its people costs a hash.
it("sign-in: wrong fields sign no person in, and can be corrected (OAuth 2.1 §3.1)", async ({ world }) => {
  for (const [name, fields, problem, reason] of wrong) {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl());
    const again = await browser.submit(page, fields);
    assertEquals([again.status, again.leftFor], [400, undefined], name);
    assertMatch(textOf(byId(readHtml(again.html), "problem")), problem);
    assertEquals([world.lastRefusal()?.error, world.lastRefusal()?.reason], ["access_denied", reason]);
    assertEquals([...browser.cookies.keys()].filter((name) => name.includes("session")), []);
    assertEquals((await browser.submit(again, { person: "alice" })).status, 200, name);
  }
});

const hiding: typeof wrong = [
  ["an unknown name", { username: "unknown", password: "wrong" }, /password is not right/, "unknown_person"],
  [
    "a password for a person without one",
    { username: "alice", password: "" },
    /password is not right/,
    "password_not_set",
  ],
  ["nothing at all", {}, /password is not right/, "unknown_person"],
  ["one click for a person with a password", { person: "carol" }, /No person has that/, "password_needed"],
];

test("sign-in: where the front page hides the people, no problem shows which names exist (OAuth 2.1 §3.1)", () =>
  inWorld({ ...options, frontPage: "issuer" }, async (world) => {
    for (const [name, fields, problem, reason] of hiding) {
      const browser = createBrowser(world);
      const again = await browser.submit(await browser.open(world.authorizeUrl()), fields);
      assertMatch(textOf(byId(readHtml(again.html), "problem")), problem, name);
      assertEquals(world.lastRefusal()?.reason, reason, name);
      assertEquals(findById(readHtml(again.html), "password-note"), undefined);
    }
  }));

test("sign-in: with many people, a form signs in the person whose username or email address is typed", () =>
  inWorld({
    ...options,
    people: Array.from({ length: 150 }, (_, at) => ({
      username: `user${at}`,
      claims: { email: `User${at}@example.org` },
    })),
  }, async (world) => {
    for (const [typed, subject] of [["user149", "user149"], ["user120@example.org", "user120"]] as const) {
      const browser = createBrowser(world);
      const page = await browser.open(world.authorizeUrl());
      const document = readHtml(page.html);
      assertEquals(findAll(byId(document, "people"), "option").length, 100);
      assertMatch(textOf(byId(document, "more-people")), /100 of 150/);
      assert(page.html.length < 50_000);
      const consent = await browser.submit(page, { person: typed });
      assertMatch(textOf(byId(readHtml(consent.html), "person")), new RegExp(`^${subject} `));
    }
  }));

const lists: readonly (readonly [people: number, ids: string])[] = [
  [8, ""],
  [9, "people"],
  [100, "people"],
  [101, "people more-people"],
];

for (const [count, ids] of lists) {
  test(`sign-in: of ${count} people the page lists ${ids || "the buttons alone"}`, () => {
    const people = Array.from({ length: count }, (_, at) => ({ username: `user${at}` }));
    return inWorld({ ...options, people }, async (world) => {
      const document = readHtml(await (await world.authorize()).text());
      assertEquals(["people", "more-people"].filter((id) => findById(document, id)).join(" "), ids);
    });
  });
}

it("sign-in: with name and password, whose refusal names the person (OAuth 2.1 §3.1)", async ({ world, browser }) => {
  const page = await browser.open(world.authorizeUrl());
  const credentials = { username: "carol", password: "correct horse: battery+staple%" };
  const consent = await browser.submit(page, credentials);
  const claims = await subjectAfter(world, consent, browser);
  assertEquals([claims.sub, claims["amr"]], [people[1]!.sub, ["pwd"]]);
  const another = createBrowser(world);
  await another.submit(await another.open(world.authorizeUrl()), { ...credentials, password: "wrong" });
  assertEquals(world.lastRefusal(), {
    error: "access_denied",
    reason: "wrong_password",
    description: "That is not the password of carol",
    spec: "OAuth 2.1 §3.1",
    expected: "the password of carol",
    received: "another password",
    change: "Type the password that is configured for this person.",
  });
});

// tests/security/sign_in_flood_test.ts has the same for a known username.
it("sign-in: too many attempts as an unknown username get 429 for a minute, and the journal has no typed text (OAuth 2.1 §2.4.1)", async ({ world, browser }) => {
  // A person may type a password into the field for the username.
  const username = "NAME-CANARY";
  const page = await browser.open(world.authorizeUrl());
  for (let attempt = 0; attempt < 20; attempt++) {
    // the minute begins with the first attempt
    if (attempt === 19) world.clock.advance(17.5);
    const { status, headers } = await browser.submit(page, { username, password: `CANARY ${attempt}` });
    assertEquals([status, headers.get("retry-after")], [400, null]);
  }
  const closed = await browser.submit(page, { username, password: people[1]!.password! });
  assertEquals([closed.status, closed.headers.get("retry-after")], [429, "43"]);
  assertEquals(closed.headers.get("cache-control"), "no-store");
  assertEquals(
    textOf(byId(readHtml(closed.html), "problem")),
    "That was too many attempts. Please wait 43 seconds, then try again.",
  );
  assertEquals(world.lastRefusal(), {
    error: "temporarily_unavailable",
    reason: "too_many_attempts",
    description: "Too many attempts to sign in as an unknown username",
    spec: "RFC 6749 §10.10",
    expected: "no attempt for another 43 s: until then the right password is refused, too",
    change: "Wait some seconds without an attempt, and then type the right password.",
  });
  assertEquals((await browser.submit(page, { person: "alice" })).status, 200);
  world.clock.advance(42.5);
  assertEquals((await browser.submit(page, { username, password: "CANARY" })).status, 400);
  assertEquals(world.lastRefusal()?.reason, "unknown_person");
  for (const { facts } of world.journal) {
    assertEquals(/CANARY|battery/.test(JSON.stringify(facts)), false, JSON.stringify(facts));
  }
});
