/** Wrong arguments that JavaScript lets through: the kit refuses each at once, and says what it expected and received. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createMock, type Mock, type MockOptions } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const quick: MockOptions = { alg: "ES256" };

/** As JavaScript sees it: without a type. */
type Loose = Readonly<Record<string, (...values: readonly unknown[]) => unknown>>;

const createLoose = createMock as (options?: unknown) => Promise<Mock>;

async function messageOf(call: () => unknown): Promise<string> {
  const { message } = await assertRejects(async () => await call(), TypeError);
  return message;
}

test("createMock: an error about an unknown name suggests the nearest known one, or lists all", async () => {
  assertEquals(
    await messageOf(() => createLoose({ people: [{ username: "zz", title: "Z" }] })),
    "Cannot create mock: people[0].title is not known: known are username, password, sub, claims, secondFactor, disabled",
  );
  assertEquals(
    (await messageOf(() => createLoose({ lifetimes: { access: 1 } }))).replace(/, .*/, ""),
    "Cannot create mock: lifetimes.access is not known: known are code",
  );
  assertEquals(
    await messageOf(() => createLoose({ onUnhandled: "errror" })),
    'Cannot create mock: onUnhandled "errror" is not known: did you mean error?',
  );
  assertEquals(
    (await messageOf(() => createLoose({ usres: [] }))).replace(/fetch, .*/, "fetch"),
    "Cannot create mock: usres is not known: known are seed, time, misbehave, lookLike, onUnhandled, journal, signingKeys, fetch",
  );
});

const misspelt = {
  sed: "seed",
  jurnal: "journal",
  isuer: "issuer",
  ttl: "lifetimes",
  findAccount: "people",
};

test("createMock: an error about a misspelt or a foreign option suggests the right one", async () => {
  for (const [name, meant] of Object.entries(misspelt)) {
    const message = `Cannot create mock: ${name} is not known: did you mean ${meant}?`;
    assertEquals(await messageOf(() => createLoose({ [name]: 1 })), message);
  }
});

const wrongOptions: readonly (readonly [options: unknown, message: string])[] = [
  [null, "Cannot create mock: its options must be an object, not null"],
  [[], "Cannot create mock: its options must be an object, not an array"],
  [{ store: {} }, "Cannot create mock with store: a mock always uses a store in memory"],
  [{ now: () => 0 }, "Cannot create mock with now: use the option time, or as.clock"],
  [{ random: () => 0 }, "Cannot create mock with random: use the option seed"],
  [{ seams: {} }, "Cannot create mock with seams: use as.on()"],
  [{ journal: 5 }, "Cannot create mock: journal must be a function, not a number"],
  [{ fetch: null }, "Cannot create mock: fetch must be a function, not null"],
  [{ time: 5 }, "Cannot create mock: time must be a function, not a number"],
];

test("createMock: a wrong option is refused, and the error says what to do", async () => {
  for (const [options, message] of wrongOptions) {
    const thrown = await messageOf(() => createLoose(options));
    assertEquals(thrown.slice(0, message.length), message);
  }
});

test("createMock: an option that is undefined counts as left out", async () => {
  const unsaid = { store: undefined, now: undefined, time: undefined, fetch: undefined, sed: undefined };
  await using as = await createLoose({ ...quick, ...unsaid });
  assertEquals((await as.login()).token_type, "Bearer");
});

test("createMock: the first use of a time that is not a number is an error", async () => {
  for (const [received, time] of [['"x"', "x"], ["NaN", NaN], ["a Date", new Date()]] as const) {
    await using as = await createLoose({ ...quick, time: () => time });
    const message = `Cannot tell the time: expected time() to return seconds since 1970, but got ${received}`;
    assertThrows(() => as.clock.now, TypeError, message);
    assertEquals(await messageOf(() => as.login()), message);
  }
});

test("createMock: an error about a time in milliseconds says how to correct it", async () => {
  await using as = await createLoose({ ...quick, time: Date.now });
  const message = await messageOf(() => as.login());
  assertMatch(message, /seconds since 1970, but got \d+: divide milliseconds by 1000$/);
});

const it = testUsing(() => createMock(quick));

it("misuse: an error does not quote text in the wrong place, which may be a secret", async (as) => {
  const { login, revoke, refresh, mint } = as as unknown as Loose;
  const misuses = [
    () => login!("bob", "CANARY"),
    () => login!("bob", { deny: "CANARY" }),
    () => revoke!("x", "CANARY"),
    () => refresh!("x", "CANARY"),
    () => mint!("CANARY"),
  ];
  for (const misuse of misuses) {
    const message = await messageOf(misuse);
    assertMatch(message, /(not|got) a string/);
    assert(!message.includes("CANARY"), message);
  }
});

it("misuse: objects without members of their own, such as a Map or a promise, are refused", async (as) => {
  const { login, mint } = as as unknown as Loose;
  assertMatch(await messageOf(() => login!("bob", Promise.resolve({}))), /a promise: await it first/);
  assertMatch(await messageOf(() => mint!(new Map())), /must be an object with any of kind, .*, not a Map$/);
  assertMatch(await messageOf(() => mint!({ claims: new Map() })), /claims must be an object, not a Map$/);
  assertMatch(
    await messageOf(() => login!("bob", { resource: new URL("https://a.test") })),
    /resource must be a string or an array of strings, not a URL$/,
  );
  assertMatch(await messageOf(() => createLoose(Promise.resolve(quick))), /a promise: await it first/);
});

it("misuse: undefined, and objects without a prototype, are accepted", async (as) => {
  const terms = { scope: undefined, browser: undefined, resource: undefined, client: undefined };
  assertEquals((await as.login("bob", terms as object)).token_type, "Bearer");
  const claims = Object.freeze(Object.assign(Object.create(null), { role: "admin" }));
  assertEquals(typeof await as.mint({ claims }), "string");
  assertEquals((await as.login("bob", { browser: as.browser(), params: {} })).token_type, "Bearer");
});

it("tenant: a wrong name, and options that a tenant does not take, are refused", async (as) => {
  const { tenant } = as as unknown as Loose;
  const wrong: readonly (readonly [values: readonly unknown[], message: RegExp])[] = [
    [[undefined], /^A tenant cannot be called undefined: expected up to 100 letters/],
    [
      ["acme", { issuer: "https://acme.test" }],
      /^Cannot create tenant acme with issuer: the issuer of this tenant is https:\/\/as\.test\/acme$/,
    ],
    [["acme", 5], /^Cannot create tenant acme: its options must be an object, not a number$/],
    [["acme", { journal: 5 }], /^Cannot create tenant acme: journal must be a function/],
    [["acme", { peple: [] }], /^Cannot create tenant acme: peple is not known: did you mean people\?$/],
    [
      ["acme", { isuer: "x" }],
      /^Cannot create tenant acme: isuer is not known: known are seed, (?!.*issuer)/,
    ],
  ];
  for (const [values, message] of wrong) assertMatch(await messageOf(() => tenant!(...values)), message);
});

const refreshExpected = "expected a refresh token, or a token response with one, but";

const noRefreshToken =
  "these tokens have no refresh_token. Check that the client's grant_types include refresh_token";
const nextSignIn = "say who signs in next: expected a username, or { deny: true }, but got";
const port = "listen: port must be an integer from 0 to 65535, not";

const person = 'find a person: expected a username, such as "alice", but got';

const wrongCalls: readonly (readonly [call: keyof Mock, values: readonly unknown[], message: string])[] = [
  ["nextSignIn", [undefined], `${nextSignIn} undefined`],
  ["nextSignIn", ["bob", { client: 5 }], "say who signs in next: client must be a string, not 5"],
  ["login", [{ username: "bob" }], `${person} an object`],
  ["login", [""], `${person} ""`],
  [
    "login",
    ["bob", { browser: {} }],
    "log in: browser must be the return value of as.browser(), not an object",
  ],
  ["login", ["bob", { clientKey: "-----BEGIN" }], "log in: clientKey must be an object, not a string"],
  [
    "login",
    ["bob", { decryptionKey: "-----BEGIN" }],
    "log in: decryptionKey must be an object, not a string",
  ],
  ["login", ["bob", { deny: "no" }], "log in: deny must be a boolean, not a string"],
  ["login", ["bob", { scope: ["openid", 5] }], "log in: scope[1] must be a string, not 5"],
  ["authorize", ["https://as.test/", { as: {} }], "authorize: as must be a string, not an object"],
  [
    "authorize",
    ["https://as.test/", { username: {} }],
    "authorize: username must be a string, not an object",
  ],
  [
    "authorize",
    ["https://as.test/", { person: "bob" }],
    "authorize: person is not known: did you mean username?",
  ],
  ["refresh", ["token", { scopes: "openid" }], "refresh: scopes is not known: did you mean scope?"],
  ["revoke", ["token", { scopes: "openid" }], "revoke: scopes is not known: known are client, clientKey"],
  ["endSession", [{}, { scopes: "openid" }], "end the session: scopes is not known: known are browser"],
  ["mint", [{ kind: "toString" }], 'mint: kind must be one of access, id, refresh, not "toString"'],
  ["mint", [{ claims: null }], "mint: claims must be an object, not null"],
  ["mint", [{ scope: 5 }], "mint: scope must be a string or an array of strings, not 5"],
  ["protect", [{ realm: 5 }], "protect: realm must be a string, not 5"],
  ["protect", [{ audience: ["https://api"] }], "protect: audience must be a string, not an array"],
  ["listen", [{ port: "0" }], `${port} a string`],
  ["listen", [{ port: -1 }], `${port} -1`],
  ["listen", [{ port: 65_536 }], `${port} 65536`],
  ["listen", [{ host: 127 }], "listen: host must be a string, not 127"],
  ["listen", [{ tls: {} }], "listen: tls must be a boolean, not an object"],
  ["env", [5], 'find a client: expected a client_id, such as "app", but got 5'],
  ["refresh", [""], `refresh: ${refreshExpected} got empty text`],
  ["refresh", [{}], `refresh: ${refreshExpected} ${noRefreshToken}`],
];

it("misuse: a call with a wrong value is refused, and sends no request", async (as) => {
  for (const [call, values, message] of wrongCalls) {
    const loose = (as as unknown as Loose)[String(call)]!;
    assertEquals(await messageOf(() => loose(...values)), `Cannot ${message}`);
  }
  const terms = await messageOf(() => (as as unknown as Loose)["login"]!("bob", null));
  assertMatch(terms, /^Cannot log in: the terms must be an object with any of .*, not null$/);
  assertEquals(as.requests.length, 0);
});

it("refresh: scope is text or a list", async (as) => {
  const narrowed = await as.refresh(await as.login(), { scope: ["openid", "email"] });
  assertEquals(narrowed.scope, "openid email");
});
