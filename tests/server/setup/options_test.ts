/** Options: each mistake is refused at start, with its place. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import {
  type Configuration,
  createConfigurationSchema,
  createServer,
  memoryStore,
  type ServerOptions,
} from "../../../src/mod.ts";
import { requireConfiguration } from "../../../src/server/setup/read_settings.ts";
import { defaultFeatures, hasFeature } from "../../../src/server/features/mod.ts";
import { gatherSlots } from "../../../src/server/slots.ts";
import { assertCannotCreate, assertTokens } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { inWorld, redirectUri, sampleKey } from "../../world.ts";

const client = (members: Readonly<Record<string, unknown>>) => ({
  clients: [{ client_id: "one" }, { client_id: "two", ...members }],
});
const person = (members: Readonly<Record<string, unknown>>) => ({
  people: [{ username: "alice" }, { username: "bob", ...members }],
});

const methodsWith = (configuration: Configuration) =>
  [...gatherSlots(defaultFeatures(configuration)).clientAuth.keys()].join(", ");

// Texts that are not lifetimes, with the suggestion in the error.
const lifetimeSpellings: readonly (readonly [text: string, suggestion: string | undefined])[] = [
  ["10 minutes", "10m"],
  ["10M", "10m"],
  ["1 day, 3 hours", "1d 3h"],
  ["1hr30min", "1h 30m"],
  ["1.5 hours", "1.5h"],
  ["1 month", undefined],
  ["5m 1m", undefined],
  ["", undefined],
];

type Names = Readonly<Record<string, readonly string[]>>;

// What other servers and libraries call an option, a member of a client and a member of a person.
const optionNames: Names = {
  issuer: ["iss", "issuer_url", "base_url", "url"],
  also: ["alsoKnownAs", "aliases", "hostnames"],
  clients: ["applications", "apps"],
  clientAuthMethods: ["clientAuthMethod", "tokenEndpointAuthMethods", "token_endpoint_auth_methods"],
  people: ["users", "accounts", "persons", "findAccount"],
  resources: ["apis", "audience", "audiences"],
  alg: ["algorithm", "signing_alg"],
  acceptedAlgorithms: ["algorithms", "allowedAlgorithms"],
  lifetimes: ["ttl", "expiry", "expirations"],
  requireSignedRequests: ["require_signed_request_object", "requireJar"],
  requirePushedRequests: ["require_pushed_authorization_requests", "requirePar"],
};
const clientNames: Names = {
  client_id: ["id", "client"],
  client_secret: ["secret"],
  client_name: ["name", "display_name"],
  redirect_uris: [
    ...["redirects", "redirect_url", "callbacks", "callback"],
    ...["callback_url", "callback_urls", "callback_uris"],
  ],
  token_endpoint_auth_method: ["auth_method", "authentication_method", "client_authentication_method"],
  grant_types: ["grants", "allowed_grant_types", "authorized_grant_types"],
  scope: ["allowed_scopes"],
};
const personNames: Names = {
  username: ["id", "login", "user", "user_id"],
  password: ["pass", "secret"],
  sub: ["subject"],
  claims: ["attributes"],
  disabled: ["locked", "blocked", "inactive"],
  secondFactor: ["mfa", "otp", "totp", "two_factor"],
};

function misname(names: Names, place: string, put: (name: string) => unknown): typeof mistakes {
  return Object.entries(names).flatMap(([right, others]) =>
    others.map((name) => [put(name), `${place}${name}`, `is not known: did you mean ${right}?`] as const)
  );
}

// Each row: the options, the place of the mistake, and the beginning of the sentence about it.
const mistakes: readonly (readonly [options: unknown, place: string, sentence: string])[] = [
  [{ issuer: "" }, "issuer", "must not be empty"],
  [{ issuer: "as.test" }, "issuer", 'must be an absolute URL, not "as.test"'],
  [
    { issuer: "http://postern:9000" },
    "issuer",
    "must be https, or http on 127.0.0.1, [::1] or localhost; in a test",
  ],
  [
    { issuer: "http://as.example.com", allowPrivateHttp: true },
    "issuer",
    "must be https, or http on 127.0.0.1",
  ],
  [{ issuer: "ftp://postern", allowPrivateHttp: true }, "issuer", "must be https, or http on 127.0.0.1"],
  [{ issuer: "http://localhost.evil.test" }, "issuer", "must be https, or http on 127.0.0.1"],
  [{ issuer: "ftp://localhost" }, "issuer", "must be https"],
  [{ issuer: "https://as.test/?" }, "issuer", "must not have a query or a fragment"],
  [{ issuer: "https://as.test/#x" }, "issuer", "must not have a query or a fragment"],
  [{ issuer: "https://:pass@as.test" }, "issuer", "must not contain a user name or a password"],
  [{ issuer: "https://ann@as.test" }, "issuer", "must not contain a user name or a password"],
  [{ issuer: "https://as.test//" }, "issuer", "must not have an empty segment"],
  [{ issuer: "https://as.test/a/../b" }, "issuer", "must be written as https://as.test/b"],
  [
    { issuer: "https://id.shop.com" },
    "clients",
    "must be configured, because other machines may reach https://id.shop.com, and anyone could use the demo " +
    "clients: configure clients and people, or set exposeDemo to true (--expose-demo)",
  ],
  [
    { issuer: "https://id.shop.com", clients: [] },
    "people",
    "must be configured, because other machines may reach https://id.shop.com, and anyone could use the demo people",
  ],
  [
    { claimsIn: { userinfo: ["roles", "sub"] } },
    "claimsIn.userinfo[1]",
    "must be a claim about people: the server itself sets sub, so give people their sub",
  ],
  [
    { claimsIn: { idToken: ["acr"] } },
    "claimsIn.idToken[0]",
    "must be a claim about people: the server itself sets acr, so use acrValues, or a hook",
  ],
  [{ isuer: "https://as.test" }, "isuer", "is not known: did you mean issuer?"],
  ...misname(optionNames, "", (name) => ({ [name]: [] })),
  ...misname(clientNames, "clients[1].", (name) => client({ [name]: "x" })),
  ...misname(personNames, "people[1].", (name) => person({ [name]: "x" })),
  [client({ clientSecret: "s" }), "clients[1].clientSecret", "is not known: did you mean client_secret?"],
  // A required member may be there, misspelt.
  [{ clients: [{ clientId: "a" }] }, "clients[0].clientId", "is not known: did you mean client_id?"],
  [{ clients: [{}] }, "clients[0].client_id", "is required"],
  ...[" ", "café", "a".repeat(1001), "a\nb", ".", ".."].map((id) =>
    [
      client({ client_id: id }),
      "clients[1].client_id",
      "must be up to 1000 characters of printable ASCII, and not blank, . or ..",
    ] as const
  ),
  [client({ client_id: "one" }), "clients[1].client_id", "must be unique: two clients are called one"],
  [
    client({ redirect_uris: ["http://a.example/"] }),
    "clients[1].redirect_uris[0]",
    'must be https, not "http://a.example/": http is for ',
  ],
  [client({ redirect_uris: [redirectUri, "/cb"] }), "clients[1].redirect_uris[1]", "must be an absolute URI"],
  [
    client({ client_secret: " " }),
    "clients[1].client_secret",
    "must not be blank: client_secret_basic needs it",
  ],
  [
    client({ token_endpoint_auth_method: "client_secret_basic" }),
    "clients[1].client_secret",
    "must be given",
  ],
  [
    client({ token_endpoint_auth_method: "none", client_secret: "x" }),
    "clients[1].client_secret",
    "must be left out: the method none uses no secret",
  ],
  [
    client({ token_endpoint_auth_method: "private_key_jwt" }),
    "clients[1].jwks",
    "or jwks_uri must be given: private_key_jwt needs it",
  ],
  [
    client({ token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [] } }),
    "clients[1].jwks",
    "must hold a public key: private_key_jwt needs it",
  ],
  [
    client({ jwks: { keys: [sampleKey] } }),
    "clients[1].jwks.keys[0]",
    "must be a public RSA key of 2048 bits or more, or one on P-256 or Ed25519, without any private member",
  ],
  [
    { ...client({ token_endpoint_auth_method: "tls_client_auth" }), mtls: {} },
    "clients[1].token_endpoint_auth_method",
    `must be one of none, ${methodsWith({ mtls: {} })} (or set the option mtls.ca)`,
  ],
  [
    client({ token_endpoint_auth_method: "self_signed_tls_client_auth" }),
    "clients[1].token_endpoint_auth_method",
    `must be one of none, ${methodsWith({})} (or set the option mtls)`,
  ],
  [
    client({ tls_client_auth_san_dns: "app.test" }),
    "clients[1].tls_client_auth_san_dns",
    "needs the option mtls",
  ],
  [
    client({ authorization_details_types: [] }),
    "clients[1].authorization_details_types",
    "needs the option authorizationDetails",
  ],
  [
    client({ token_endpoint_auth_method: "client_secret_jwt" }),
    "clients[1].client_secret",
    "must be given: client_secret_jwt needs it",
  ],
  [
    client({ token_endpoint_auth_method: "client_secret_jwt", client_secret: "x".repeat(31) }),
    "clients[1].client_secret",
    "must have at least 32 octets: client_secret_jwt signs with it",
  ],
  [
    client({
      token_endpoint_auth_method: "client_secret_jwt",
      client_secret: "x".repeat(32),
      token_endpoint_auth_signing_alg: "ES256",
    }),
    "clients[1].token_endpoint_auth_signing_alg",
    "must be one of HS256, because the method is client_secret_jwt",
  ],
  [
    client({ client_secret: "x", token_endpoint_auth_signing_alg: "HS256" }),
    "clients[1].token_endpoint_auth_signing_alg",
    'must be left out, not "HS256": client_secret_basic signs no assertion',
  ],
  [
    client({ grant_types: ["client_credentials"] }),
    "clients[1].grant_types",
    "must hold another grant type, or the client must have a client_secret: client_credentials is for confidential",
  ],
  [client({ scope: "a  b" }), "clients[1].scope", "must be scope names separated by single spaces"],
  [
    { scopes: { read: "" }, ...client({ scope: "read write" }) },
    "clients[1].scope",
    "must name configured scopes only: write is not configured",
  ],
  [client({ require_pkce: false }), "clients[1].require_pkce", "must not be false for a public client"],
  [
    person({ username: "alice", sub: "2" }),
    "people[1].username",
    "must be unique: two people are called alice",
  ],
  ...[".", ".."].map((username) =>
    [
      person({ username }),
      "people[1].username",
      "must not be . or .., because URLs leave these out of a path",
    ] as const
  ),
  [person({ sub: "alice" }), "people[1].sub", "must be unique: two people have the sub alice"],
  [person({ sub: "é" }), "people[1].sub", "must be 1 to 255 printable ASCII characters"],
  [person({ sub: "x".repeat(256) }), "people[1].sub", "must be 1 to 255 printable ASCII characters"],
  [
    person({ username: "é" }),
    "people[1].username",
    'is the default sub, and a sub must be 1 to 255 printable ASCII characters. Set "sub" to another value',
  ],
  [
    { people: [{ username: "alice", sub: "bob" }, { username: "bob" }] },
    "people[1].username",
    'is the default sub, and a sub must be unique: two people have the sub bob. Set "sub" to another value',
  ],
  [
    person({ username: "demo" }),
    "people[1].username",
    'is the default sub, and a sub must not be the id of a client: there is a client demo. Set "sub" to another value',
  ],
  [
    person({ email: "bob@example.com" }),
    "people[1].email",
    'belongs in claims: write "claims": { "email": "bob@example.com" }',
  ],
  [{ accessToken: "1h" }, "accessToken", 'belongs in lifetimes: write "lifetimes": { "accessToken": "1h" }'],
  [{ ...person({ sub: "demo" }) }, "people[1].sub", "must not be the id of a client: there is a client demo"],
  [
    { scopes: { "a b": "" } },
    'scopes["a b"]',
    "must be a scope name: printable ASCII without a space, a quote or a backslash",
  ],
  [{ defaultScope: "a  b" }, "defaultScope", "must be scope names separated by single spaces"],
  [
    { scopes: { read: "" }, defaultScope: "write" },
    "defaultScope",
    "must name configured scopes only: write is not configured",
  ],
  [
    { resources: ["https://api.example/", "api"] },
    "resources[1]",
    "must be an absolute URI without a fragment",
  ],
  [{ resources: ["https://api.example/#x"] }, "resources[0]", "must be an absolute URI without a fragment"],
  [
    { login: { "*": "auto:carol" } },
    "login",
    "must name a configured person: carol is not one of alice, bob",
  ],
  [{ login: "auto:carol" }, "login", "must name a configured person: carol is not one of alice, bob"],
  [{ login: "auto", people: [] }, "login", "must be picker, because no people are configured"],
  [
    { alg: "RS256", signingKeys: [sampleKey] },
    "signingKeys",
    "must hold a key for RS256, because the server or a client is configured to use it",
  ],
  [
    { alg: "ES256", signingKeys: [sampleKey], ...client({ id_token_signed_response_alg: "RS256" }) },
    "signingKeys",
    "must hold a key for RS256, because the server or a client is configured to use it",
  ],
  ...lifetimeSpellings.map(([text, suggestion]) =>
    [
      { lifetimes: { session: text } },
      "lifetimes.session",
      "must be a number of seconds or text with the units d, h, m and s, the largest first, " +
      `not "${text}": ${
        suggestion === undefined ? 'for example 90, "10m" or "1d 3h"' : `did you mean "${suggestion}"?`
      }`,
    ] as const
  ),
  [
    { lifetimes: { code: "11m" } },
    "lifetimes.code",
    'must be a whole number of seconds from 1 to 600, not "11m", which is 660 seconds',
  ],
  [{ mostPushedOctets: 99_999 }, "mostPushedOctets", "must be an integer of 100000 or more, not 99999"],
  ...["a b", " a", "a ", "é"].map((value) =>
    [{ acrValues: [value] }, "acrValues[0]", "must be printable ASCII without a space"] as const
  ),
  [
    { acceptedAlgorithms: ["EdDSA"], alg: "ES256" },
    "acceptedAlgorithms",
    "must have ES256, because the server or a client is configured to use it",
  ],
  [{ signingKeys: [{ ...sampleKey, alg: "HS256" }] }, "signingKeys[0]", "must be a key for one of RS256,"],
  [{ signingKeys: [{ ...sampleKey, d: undefined }] }, "signingKeys[0]", "does not fit: "],
  [
    { claimsIn: { accessToken: ["aud"] } },
    "claimsIn.accessToken[0]",
    "must be a claim about people: the server itself sets aud, so use tokenClaims, or a resource of the request",
  ],
  [
    { claimsIn: { userinfo: ["azp"] } },
    "claimsIn.userinfo[0]",
    "must be a claim about people: the server itself sets azp, so use a hook",
  ],
  ...["(", "a)|(b"].map((scope) =>
    [
      { tokenClaims: [{ when: { scope }, claims: {} }] },
      "tokenClaims[0].when.scope",
      "must be a regular expression",
    ] as const
  ),
  [
    { tokenClaims: [{ claims: { sub: "alice" } }] },
    "tokenClaims[0].claims.sub",
    "must not be the sub of a person",
  ],
  [
    { tokenClaims: [{ claims: { exp: 1 } }] },
    "tokenClaims[0].claims.exp",
    "must be left out: the server sets this claim",
  ],
];

for (const [options, place, sentence] of mistakes) {
  const ids = place === "issuer" ? " (OAuth 2.1 §1.5)" : "";
  test(`options: ${place} ${sentence}… for ${JSON.stringify(options).slice(0, 80)}${ids}`, () => {
    const quick = { alg: "ES256", signingKeys: [sampleKey] };
    return assertCannotCreate(
      () => createServer({ ...quick, ...options as ServerOptions } as ServerOptions),
      `${place} ${sentence}`,
    );
  });
}

// Values of a wrong type, and secrets in a wrong place.
const leaks: readonly unknown[] = [
  { clients: '[{ "client_secret": "canary" }]' },
  { clients: "canary", alg: "canary" },
  { people: ["canary"] },
  client({ client_secret: ["canary"] }),
  person({ password: ["canary"] }),
  person({ password: "scrypt:canary" }),
  client({ jwks: "canary" }),
  client({ token_endpoint_auth_method: "private_key_jwt", jwks: { keys: ["canary"] } }),
  client({ token_endpoint_auth_method: "private_key_jwt", jwks: { keys: [{ ...sampleKey, d: "canary" }] } }),
  client({ token_endpoint_auth_method: "none", client_secret: "canary" }),
  client({ redirect_uris: "https://app.example/cb?key=canary" as never }),
  { issuer: "ftp://alice:canary@as.test" },
  client({ redirect_uris: ["http://alice:canary@as.test/"] }),
];

for (const [index, options] of leaks.entries()) {
  test(`options: an error does not quote what may be a secret (${index + 1})`, () => {
    const { message } = assertThrows(() => createServer(options as ServerOptions), TypeError);
    assert(!/canary|4711/.test(message), message);
  });
}

test("options: an error quotes at most 100 characters of a value", () => {
  const { message } = assertThrows(
    () => requireConfiguration({ alg: `\n${"x".repeat(1000)}` }, createConfigurationSchema()),
    TypeError,
  );
  assertMatch(message, /, not "\\nx{99}…"$/);
  // A query may hold a secret. The question mark is shown, because it may be the mistake.
  for (const [alg, shown] of [["RS256#", "RS256#"], ["RS256?a=b#c", "RS256?…"]]) {
    const { message } = assertThrows(
      () => requireConfiguration({ alg }, createConfigurationSchema()),
      TypeError,
    );
    assertMatch(message, new RegExp(`, not "${shown!.replace("?", "\\?")}"$`));
  }
});

for (const value of [null, [], "postern.json", 9000]) {
  test(`options: ${JSON.stringify(value)} is not a configuration`, () => {
    const sentence = "Cannot create server: the configuration must be an object";
    assertThrows(() => requireConfiguration(value, createConfigurationSchema()), TypeError, sentence);
  });
}

const { d: _privateMember, ...publicKey } = sampleKey;

const fine: readonly (readonly [name: string, options: ServerOptions])[] = [
  ["an issuer with a slash at its end", { issuer: "https://as.test/tenant/" }],
  ["an issuer on IPv6 loopback", { issuer: "http://[::1]:9000" }],
  ["the longest subject", { people: [{ username: "a", sub: "~".repeat(255) }] }],
  ["a secret of any characters", { clients: [{ client_id: "a", client_secret: "£€ ~*\u0000" }] }],
  [
    "a public client with client_credentials among its grant types",
    { clients: [{ client_id: "a", grant_types: ["authorization_code", "client_credentials"] }] },
  ],
  ["a public client with a key", { clients: [{ client_id: "a", jwks: { keys: [publicKey] } }] }],
  ["a client with an empty key set", {
    clients: [{ client_id: "a", client_secret: "x", jwks: { keys: [] } }],
  }],
];

for (const [name, options] of fine) {
  test(`options: ${name} is fine`, async () => {
    const server = createServer({ alg: "ES256", signingKeys: [sampleKey], ...options });
    assertEquals(typeof server.issuer, "string");
    await server.close();
  });
}

const firstUsers: readonly (readonly [configuration: Configuration, isAccepted: boolean])[] = [
  [{}, true],
  // A TLS proxy on this machine may serve other machines.
  [{ issuer: "https://localhost:9000" }, false],
  [{ issuer: "https://localhost", firstUse: false }, false],
  [{ issuer: "https://id.example.com", firstUse: true }, true],
  [{ issuer: "https://id.example.com", exposeDemo: true }, true],
  [{ issuer: "https://id.example.com", exposeDemo: true, firstUse: false }, false],
  [{ issuer: "https://localhost@id.example.com" }, false],
  [{ issuer: "https://127.0.0.2" }, false],
];

for (const [configuration, isAccepted] of firstUsers) {
  test(`options: first use is ${isAccepted ? "on" : "off"} for ${JSON.stringify(configuration)}`, () =>
    assertEquals(hasFeature("first_use", configuration), isAccepted));
}

const { properties: lifetimes = {} } = createConfigurationSchema().properties!["lifetimes"]!;

for (const [name, { anyOf: [{ minimum, maximum } = {}] = [] }] of Object.entries(lifetimes)) {
  test(`options: the lifetime ${name} is from ${minimum} to ${maximum} s, as a number and as text`, async () => {
    const create = (value: number | string) =>
      createServer({ alg: "ES256", signingKeys: [sampleKey], lifetimes: { [name]: value } });
    for (const value of [minimum!, maximum!, `${minimum}s`, `${maximum}s`]) await create(value).close();
    const place = `lifetimes.${name} must be`;
    const range = `from ${minimum} to ${maximum}`;
    for (const each of [minimum! - 1, maximum! + 1]) {
      await assertCannotCreate(() => create(each), `${place} an integer ${range}`);
      // No text has a sign.
      const text = () => create(`${each}s`);
      if (each >= 0) await assertCannotCreate(text, `${place} a whole number of seconds ${range}`);
    }
  });
}

test("options: lifetimes are seconds, or text with units", () =>
  inWorld({ lifetimes: { code: "1m", accessToken: "1.5h", refreshGrace: "0s" } }, async (world) => {
    const code = await world.code();
    world.clock.advance(59);
    const tokens = await assertTokens(await world.redeem(code));
    assertEquals(tokens["expires_in"], 5400);
    const late = await world.code();
    world.clock.advance(60);
    assertEquals((await world.redeem(late)).status, 400);
  }));

test("options: closing the server does not close a store that was passed in", async () => {
  const store = memoryStore();
  let closed = false;
  const server = createServer({
    alg: "ES256",
    signingKeys: [sampleKey],
    store: { ...store, close: () => Promise.resolve(void (closed = true)) },
  });
  await server.close();
  assertEquals(closed, false);
});

test("options: the published schema allows no other name", () => {
  const { properties = {}, additionalProperties } = createConfigurationSchema();
  assertEquals(additionalProperties, false);
  for (const each of ["clients", "people"]) {
    assertEquals(properties[each]?.items?.additionalProperties, false, each);
  }
});
