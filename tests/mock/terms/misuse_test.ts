/** Wrong arguments that JavaScript lets through: the kit refuses each at once, and says what it expected and received. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createMock, type Mock, type MockOptions } from "../../../src/mock/mod.ts";
import { test } from "../../runner.ts";

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
    "Cannot create mock: people[0].title is not known: known are username, password, sub, claims, disabled",
  );
  assertEquals(
    (await messageOf(() => createLoose({ lifetimes: { access: 1 } }))).replace(/, .*/, ""),
    "Cannot create mock: lifetimes.access is not known: known are code",
  );
  assertEquals(
    (await messageOf(() => createLoose({ usres: [] }))).replace(/fetch, .*/, "fetch"),
    "Cannot create mock: usres is not known: known are seed, time, misbehave, lookLike, journal, signingKeys, fetch",
  );
});

const misspelt = [
  ...[["sed", "seed"], ["seeds", "seed"], ["tim", "time"], ["jurnal", "journal"], ["fetsh", "fetch"]],
  ...[["signingKey", "signingKeys"], ["isuer", "issuer"], ["ttl", "lifetimes"], ["findAccount", "people"]],
] as const;

for (const [name, meant] of misspelt) {
  test(`createMock: an error about ${name} suggests ${meant}`, async () => {
    assertEquals(
      await messageOf(() => createLoose({ [name]: 1 })),
      `Cannot create mock: ${name} is not known: did you mean ${meant}?`,
    );
  });
}

test("authorize: an error about the term person, which other calls have, suggests as", async () => {
  await using as = await createMock(quick);
  const loose = as as unknown as Loose;
  assertEquals(
    await messageOf(() => loose["authorize"]!(`${as.issuer}/oauth2/authorize`, { person: "bob" })),
    "Cannot authorize: person is not known: did you mean as?",
  );
});

const wrongOptions: readonly (readonly [options: unknown, message: string])[] = [
  [null, "Cannot create mock: its options must be an object, not null"],
  [5, "Cannot create mock: its options must be an object, not a number"],
  [[], "Cannot create mock: its options must be an object, not an array"],
  [{ store: {} }, "Cannot create mock with store: a mock always uses a store in memory"],
  [{ now: () => 0 }, "Cannot create mock with now: use the option time, or as.clock"],
  [{ random: () => 0 }, "Cannot create mock with random: use the option seed"],
  [{ seams: {} }, "Cannot create mock with seams: use as.on()"],
  [{ journal: 5 }, "Cannot create mock: journal must be a function, not a number"],
  [{ fetch: null }, "Cannot create mock: fetch must be a function, not null"],
  [{ time: 5 }, "Cannot create mock: time must be a function, not a number"],
];

for (const [options, message] of wrongOptions) {
  test(`createMock: ${message}`, async () => {
    const thrown = await messageOf(() => createLoose(options));
    assertEquals(thrown.slice(0, message.length), message);
  });
}

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
  assertMatch(
    await messageOf(() => as.login()),
    /seconds since 1970, but got \d+: divide milliseconds by 1000$/,
  );
});

test("misuse: an error does not quote text in the wrong place, which may be a secret", async () => {
  await using as = await createMock(quick);
  const { login, revoke, refresh, mint } = as as unknown as Loose;
  for (
    const misuse of [
      () => login!("bob", "CANARY"),
      () => login!("bob", { deny: "CANARY" }),
      () => revoke!("x", "CANARY"),
      () => refresh!("x", "CANARY"),
      () => mint!("CANARY"),
    ]
  ) {
    const message = await messageOf(misuse);
    assertMatch(message, /(not|got) a string/);
    assert(!message.includes("CANARY"), message);
  }
});

test("misuse: objects without members of their own, such as a Map or a promise, are refused", async () => {
  await using as = await createMock(quick);
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

test("misuse: undefined, and objects without a prototype, are accepted", async () => {
  await using as = await createMock(quick);
  const terms = { scope: undefined, browser: undefined, resource: undefined, client: undefined };
  assertEquals((await as.login("bob", terms as object)).token_type, "Bearer");
  const claims = Object.freeze(Object.assign(Object.create(null), { role: "admin" }));
  assertEquals(typeof await as.mint({ claims }), "string");
  assertEquals((await as.login("bob", { browser: as.browser(), params: {} })).token_type, "Bearer");
});

test("tenant: a wrong name, and options that a tenant does not take, are refused", async () => {
  await using as = await createMock(quick);
  const { tenant } = as as unknown as Loose;
  assertEquals(
    (await messageOf(() => tenant!(undefined))).replace(/,.*/, ""),
    "A tenant cannot be called undefined: expected up to 100 letters",
  );
  assertEquals(
    await messageOf(() => tenant!("acme", { issuer: "https://acme.test" })),
    "Cannot create tenant acme with issuer: the issuer of this tenant is https://as.test/acme",
  );
  assertThrows(
    () => tenant!("acme", 5),
    TypeError,
    "Cannot create tenant acme: its options must be an object, not a number",
  );
  assertThrows(
    () => tenant!("acme", { journal: 5 }),
    TypeError,
    "Cannot create tenant acme: journal must be a function",
  );
  assertThrows(
    () => tenant!("acme", { peple: [] }),
    TypeError,
    "Cannot create tenant acme: peple is not known: did you mean people?",
  );
  const unknown = assertThrows(() => tenant!("acme", { isuer: "https://acme.test" }), TypeError);
  assertMatch(
    unknown.message,
    /^Cannot create tenant acme: isuer is not known: known are seed, (?!.*issuer)/,
  );
});

const wrongCalls: readonly (readonly [name: keyof Mock, values: readonly unknown[], message: string])[] = [
  [
    "nextSignIn",
    [undefined],
    "say who signs in next: expected a user name, or { deny: true }, but got undefined",
  ],
  ["nextSignIn", [null], "say who signs in next: expected a user name, or { deny: true }, but got null"],
  ["nextSignIn", ["bob", { client: 5 }], "say who signs in next: client must be a string, not 5"],
  ["login", [{ username: "bob" }], 'find a person: expected a user name, such as "alice", but got an object'],
  ["login", [""], 'find a person: expected a user name, such as "alice", but got ""'],
  [
    "login",
    ["bob", { browser: {} }],
    "log in: browser must be the return value of as.browser(), not an object",
  ],
  ["login", ["bob", { params: "a=b" }], "log in: params must be an object, not a string"],
  ["login", ["bob", { clientKey: "-----BEGIN" }], "log in: clientKey must be an object, not a string"],
  [
    "login",
    ["bob", { decryptionKey: "-----BEGIN" }],
    "log in: decryptionKey must be an object, not a string",
  ],
  ["login", ["bob", { deny: "no" }], "log in: deny must be a boolean, not a string"],
  [
    "login",
    ["bob", { scope: ["openid", 5] }],
    "log in: scope[1] must be a string, not 5",
  ],
  ["authorize", ["https://as.test/", { as: {} }], "authorize: as must be a string, not an object"],
  ["mint", [{ kind: "x" }], 'mint: kind must be one of access, id, refresh, not "x"'],
  [
    "mint",
    [{ kind: "toString" }],
    'mint: kind must be one of access, id, refresh, not "toString"',
  ],
  ["mint", [{ claims: null }], "mint: claims must be an object, not null"],
  ["mint", [{ claims: 5 }], "mint: claims must be an object, not 5"],
  ["mint", [{ scope: 5 }], "mint: scope must be a string or an array of strings, not 5"],
  ["mint", [{ client: {} }], "mint: client must be a string, not an object"],
  [
    "mint",
    [{ kind: "refresh", expiresIn: "60d" }],
    'mint a refresh token that expires in "60d": an unused refresh token expires after 2592000 seconds. ' +
    "Mint a shorter one, or configure a longer lifetimes.refreshIdle",
  ],
  ["protect", [{ realm: 5 }], "protect: realm must be a string, not 5"],
  ["protect", [{ audience: ["https://api"] }], "protect: audience must be a string, not an array"],
  [
    "protect",
    [{ resourceMetadata: new URL("https://api.test") }],
    "protect: resourceMetadata must be a string, not a URL",
  ],
  [
    "listen",
    [{ port: "0" }],
    "listen: port must be an integer from 0 to 65535, not a string",
  ],
  ...[-1, 1.5, 65_536, NaN].map((port) =>
    [
      "listen",
      [{ port }],
      `listen: port must be an integer from 0 to 65535, not ${port}`,
    ] as const
  ),
  ["listen", [{ host: 127 }], "listen: host must be a string, not 127"],
  ["listen", [{ tls: {} }], "listen: tls must be a boolean, not an object"],
  ["env", [5], 'find a client: expected a client_id, such as "app", but got 5'],
  ["refresh", [""], "refresh: expected a refresh token, or a token response with one, but got empty text"],
  [
    "refresh",
    [{ refresh_token: 5 }],
    "refresh: expected a refresh token, or a token response with one, but got a number",
  ],
  [
    "refresh",
    [{}],
    "refresh: expected a refresh token, or a token response with one, but these tokens have no refresh_token. " +
    "Check that the client's grant_types include refresh_token",
  ],
  ["revoke", [""], "revoke: expected a token, or a token response with one, but got empty text"],
  [
    "revoke",
    [{ access_token: "" }],
    "revoke: expected a token, or a token response with one, but got empty text",
  ],
];

for (const [name, values, message] of wrongCalls) {
  test(`${String(name)}: Cannot ${message}`, async () => {
    await using as = await createMock(quick);
    const call = (as as unknown as Loose)[String(name)]!;
    assertEquals(await messageOf(() => call(...values)), `Cannot ${message}`);
    assertEquals(as.requests.length, 0);
  });
}

test("login: a public clientKey is refused, because signing needs the private one", async () => {
  const terms = { name: "ECDSA", namedCurve: "P-256" } as const;
  const { publicKey } = await crypto.subtle.generateKey(terms, true, ["sign", "verify"]) as CryptoKeyPair;
  const key = await crypto.subtle.exportKey("jwk", publicKey);
  const client = {
    client_id: "pk",
    token_endpoint_auth_method: "private_key_jwt",
    redirect_uris: ["https://pk.test/cb"],
    jwks: { keys: [key] },
  };
  await using as = await createMock({ ...quick, clients: [client] });
  assertEquals(
    await messageOf(() => as.login("bob", { client: "pk", clientKey: key })),
    "Cannot sign as the client pk: expected its private JWK as clientKey, with the member d, " +
      "but a signing key needs its private member d",
  );
});

test("refresh: scope is text or a list", async () => {
  await using as = await createMock(quick);
  const narrowed = await as.refresh(await as.login(), { scope: ["openid", "email"] });
  assertEquals(narrowed.scope, "openid email");
});
