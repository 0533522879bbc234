/** Clients register themselves (RFC 7591; OpenID Connect Dynamic Client Registration §3). */

import { assert, assertEquals, assertFalse, assertMatch, assertNotEquals } from "@std/assert";
import type { KeySource } from "../../../src/server/setup/server_keys.ts";
import { keysFor } from "../../keys.ts";
import { sampleKey, sampleRsaKey } from "../../world.ts";
import { knownPrograms } from "../../../src/server/oauth/clients/metadata/application_scheme.ts";
import { registeredNames } from "../../../src/server/oauth/clients/metadata/registered_names.ts";
import { test } from "../../runner.ts";
import {
  assertRefused,
  createRegistrationWorld,
  initialToken,
  logIn,
  manage,
  nativeUri,
  redeemWithSecretJwt,
  register,
  registered,
  testInRegistration as it,
} from "./registration.ts";

const { d: _, ...publicKey } = sampleKey;
const webUri = "https://app.test.com/cb";

it("registration: JSON in, 201 and JSON out, not stored by caches (RFC 7591 §3.1, §3.2.1)", async (world) => {
  const { status, headers, body } = await register(world, { redirect_uris: [nativeUri] });
  assertEquals(status, 201);
  assertEquals(headers.get("content-type"), "application/json");
  assertEquals(headers.get("cache-control"), "no-store");
  const { client_id, client_secret, registration_access_token, ...others } = body;
  assertMatch(`${client_id}`, /^reg-[\w-]{22}$/);
  assertMatch(`${client_secret}`, /^[\w-]{43}$/);
  assertMatch(`${registration_access_token}`, /^[\w-]{43}$/);
  // Everything that is in effect, with the defaults of RFC 7591 §2.
  assertEquals(others, {
    client_id_issued_at: world.clock.now,
    client_secret_expires_at: world.clock.now + 7 * 24 * 3600,
    registration_client_uri: `http://localhost:9000/connect/register/${client_id}`,
    redirect_uris: [nativeUri],
    token_endpoint_auth_method: "client_secret_basic",
    grant_types: ["authorization_code"],
    response_types: ["code"],
    application_type: "native",
    subject_type: "public",
    id_token_signed_response_alg: "ES256",
  });
  const { facts } = world.journal.at(-1)!;
  assertEquals(facts.clientId, client_id);
  assertFalse(JSON.stringify(facts).includes(`${client_secret}`));
});

test("registration: RS256 is the default for ID tokens, whatever signs by default (OIDC Registration §2)", async () => {
  // Each algorithm has a ready key, because making an RSA key is slow.
  const keySource: KeySource = {
    first: () => [],
    createJwk: (alg) => Promise.resolve(keysFor([alg])[0]!),
  };
  await using world = createRegistrationWorld({ signingKeys: undefined, alg: "ES256", keySource } as never);
  assertEquals((await registered(world))["id_token_signed_response_alg"], "RS256");
  const asked = { redirect_uris: [nativeUri], id_token_signed_response_alg: "RS256" };
  assertEquals((await register(world, asked)).status, 201);
  const { body } = await register(world, {
    redirect_uris: [nativeUri],
    id_token_signed_response_alg: "PS256",
  });
  assertEquals(body["error"], "invalid_client_metadata");
});

it("registration: a body of another type, or that is no JSON object, is refused (RFC 7591 §3.1, RFC 8259 §11)", async (world) => {
  const json = "application/json";
  for (const type of ["text/plain", "application/jwt", `x-${json}`, `${json}x`]) {
    const answer = await register(world, "{}", { headers: { "content-type": type } });
    assertRefused(world, answer, "400 invalid_request registration_not_json");
  }
  for (const type of ["Application/JSON ", `${json}; charset=utf-8`, `${json};charset=ISO-8859-1`]) {
    const answer = await register(world, { redirect_uris: [nativeUri] }, {
      headers: { "content-type": type },
    });
    assertEquals(answer.status, 201, type);
  }
  for (const body of ["null", "[]", '"x"', ""]) {
    const answer = await register(world, body);
    assertRefused(world, answer, "400 invalid_client_metadata registration_not_object");
  }
});

test("registration: unknown metadata is ignored, and replaced values are reported (RFC 7591 §2)", async () => {
  const world = createRegistrationWorld({ scopes: { orders: "See your orders" } });
  const client = await registered(world, {
    client_id: "chosen",
    client_secret: "chosen-secret",
    client_secret_expires_at: 0,
    client_id_issued_at: 1,
    registration_access_token: "chosen-token",
    scope: "openid orders admin",
    "client_name#ja": "クライアント",
    client_name: "Notes",
    trusted: true,
    skip_consent: true,
    first_party: true,
    approvedBy: "operator",
    source: "configuration",
    epoch: "configured",
    // Only an operator may set these members of this server.
    allow_private_http: true,
    require_pkce: false,
    remember_consent: true,
    introspects: ["https://api.test"],
    oauth_version: "2.0",
  });
  assertNotEquals(client.client_id, "chosen");
  assertNotEquals(client.client_secret, "chosen-secret");
  assertNotEquals(client.registration_access_token, "chosen-token");
  assertEquals(Object.keys(client).sort(), [
    "application_type",
    "client_id",
    "client_id_issued_at",
    "client_name",
    "client_secret",
    "client_secret_expires_at",
    "grant_types",
    "id_token_signed_response_alg",
    "redirect_uris",
    "registration_access_token",
    "registration_client_uri",
    "response_types",
    "scope",
    "subject_type",
    "token_endpoint_auth_method",
  ]);
  assertEquals(client["scope"], "offline_access openid profile email address phone orders");
  const answer = await world.authorize({
    client_id: client.client_id,
    redirect_uri: nativeUri,
    scope: "orders",
    code_challenge: undefined,
    code_challenge_method: undefined,
  });
  assertEquals(world.lastRefusal()?.reason, "challenge_missing");
  await answer.body?.cancel();
});

/** Metadata, the reason of its refusal, and the place that the description names. */
const wrongMetadata: readonly (readonly [name: string, metadata: object, place: string])[] = [
  ["redirect URIs of another type", { redirect_uris: nativeUri }, "redirect_uris"],
  ["no redirect URI (RFC 7591 §3.2.2)", { redirect_uris: [] }, "redirect_uris"],
  ["a fragment (RFC 7591 §3.2.2)", { redirect_uris: [`${nativeUri}#x`] }, "redirect_uris[0]"],
  ["an unknown grant type", { grant_types: ["authorization_code", "password"] }, "grant_types[1]"],
  ["the implicit grant", { grant_types: ["implicit"], response_types: ["id_token"] }, "grant_types[0]"],
  ["an unknown response type", { response_types: ["code", "token"] }, "response_types[1]"],
  [
    "code without its grant type (RFC 7591 §2)",
    { grant_types: ["refresh_token"], response_types: ["code"] },
    "grant_types",
  ],
  ["the code grant without its response type (RFC 7591 §2)", { response_types: [] }, "response_types"],
  ["an unknown authentication method", { token_endpoint_auth_method: "magic" }, "token_endpoint_auth_method"],
  ["private_key_jwt without keys", { token_endpoint_auth_method: "private_key_jwt" }, "jwks"],
  ["a private key (RFC 7591 §2)", { jwks: { keys: [sampleKey] } }, "jwks.keys[0]"],
  ["a symmetric key (RFC 7591 §2)", { jwks: { keys: [{ kty: "oct", k: "AAAA" }] } }, "jwks.keys[0]"],
  [
    "jwks and jwks_uri (RFC 7591 §2)",
    { jwks: { keys: [publicKey] }, jwks_uri: "https://a.test/jwks" },
    "jwks",
  ],
  ["a malformed scope", { scope: 'a "b"' }, "scope"],
  ["an empty name", { client_name: "" }, "client_name"],
  ["an unknown application type", { application_type: "desktop" }, "application_type"],
  ["an unsupported algorithm", { id_token_signed_response_alg: "none" }, "id_token_signed_response_alg"],
  ...["javascript:alert(1)", ` ${nativeUri}`, "http://localhost.evil.test/cb", ""].map((uri) =>
    [`the redirect URI ${uri}`, { redirect_uris: [uri] }, "redirect_uris[0]"] as const
  ),
  ...[
    ...["javascript:alert(1)", "//a.test", "https:a.test", " https://a.test", "xhttps://a.test/", "https://"],
    ...["https://me@a.test/", "https://a.test\\b", "https://a.test/a b", "https://a.test/é", "https://a:x/"],
  ].map((uri) => [`client_uri ${uri}`, { client_uri: uri }, "client_uri"] as const),
  ...["logo_uri", "policy_uri", "tos_uri"].map((name) =>
    [`${name} javascript:alert(1)`, { [name]: "javascript:alert(1)" }, name] as const
  ),
];

it("registration: wrong metadata is refused with its place (RFC 7591 §3.2.2)", async (world) => {
  for (const [name, metadata, place] of wrongMetadata) {
    const answer = await register(world, { redirect_uris: [nativeUri], ...metadata });
    const isRedirectUri = place.startsWith("redirect_uris");
    const expected = isRedirectUri
      ? "400 invalid_redirect_uri redirect_uri_invalid"
      : "400 invalid_client_metadata metadata_invalid";
    assertRefused(world, answer, expected);
    const description = `${answer.body["error_description"]}`;
    assert(description.startsWith(place), `${name}: ${description}`);
  }
});

it("registration: a link may end with its host, and a person in its path is no user (RFC 7591 §2, RFC 3986 §3)", async (world) => {
  for (
    const link of [
      "https://a.test",
      "HTTP://A.test:8080",
      "https://a.test?x",
      "https://a.test#x",
      "http://a.test/@me",
    ]
  ) {
    for (const name of ["client_uri", "logo_uri", "policy_uri", "tos_uri"]) {
      assertEquals((await registered(world, { [name]: link }))[name], link);
    }
  }
});

it("registration: ids and secrets are unique (OIDC Registration §3.2)", async (world) => {
  const [one, other] = [await registered(world), await registered(world)];
  assertNotEquals(one.client_id, other.client_id);
  assertNotEquals(one.client_secret, other.client_secret);
});

test("registration: first use never takes an id of a registered client (OpenID Connect Registration §3.2)", async () => {
  const world = createRegistrationWorld({ clients: undefined, firstUse: true } as never);
  const answer = await world.authorize({ client_id: `reg-${"A".repeat(22)}`, redirect_uri: nativeUri });
  assertEquals(world.lastRefusal()?.reason, "client_unknown");
  assertMatch(
    world.lastRefusal()?.expected ?? "",
    /a client that registered at http:\/\/localhost:9000\/connect\/register/,
  );
  await answer.body?.cancel();
});

test("registration: a client of client_secret_jwt gets a secret, and the secret expires (RFC 7591 §3.2.1)", async () => {
  const world = createRegistrationWorld({ lifetimes: { clientSecret: "1h" } });
  const client = await registered(world, { token_endpoint_auth_method: "client_secret_jwt" });
  assertEquals((await redeemWithSecretJwt(world, client)).status, 200);
  world.clock.advance(3600);
  assertEquals((await redeemWithSecretJwt(world, client)).status, 401);
  assertEquals(world.lastRefusal()?.reason, "secret_expired");
});

const applicationTypes:
  readonly (readonly [type: string | undefined, uri: string, registered: string | null])[] = [
    ["native", nativeUri, "native"],
    // MCP clients.
    ["native", "http://localhost:3000/callback", "native"],
    ["native", "com.example.app:/cb", "native"],
    ["native", webUri, null],
    ["web", webUri, "web"],
    ["web", "http://localhost:3000/cb", "web"],
    ["web", "com.example.app:/cb", null],
    ["web", "http://app.test.com/cb", null],
    [undefined, webUri, "web"],
    [undefined, nativeUri, "native"],
    [undefined, "com.example.app:/cb", "native"],
  ];

test("registration: an application_type allows some redirect URIs, and they decide one that is left out (OpenID Connect Registration §2)", async () => {
  const world = createRegistrationWorld({ registration: { initialAccessTokens: [initialToken] } });
  for (const [type, uri, expected] of applicationTypes) {
    const metadata = { redirect_uris: [uri], ...(type === undefined ? {} : { application_type: type }) };
    const answer = await register(world, metadata, { token: initialToken });
    if (expected === null) {
      assertRefused(world, answer, "400 invalid_redirect_uri redirect_uri_invalid");
    } else assertEquals([answer.status, answer.body["application_type"]], [201, expected], `${type} ${uri}`);
  }
});

test("registration: URIs of several kinds are of a native app, which is public unless it names a method (RFC 8252 §7.2, §8.4)", async () => {
  const world = createRegistrationWorld({ registration: { initialAccessTokens: [initialToken] } });
  const redirect_uris = [webUri, nativeUri, "com.example.app:/cb"];
  const of = (type?: string, token_endpoint_auth_method?: string) =>
    register(world, { redirect_uris, application_type: type, token_endpoint_auth_method }, {
      token: initialToken,
    });
  for (const type of [undefined, "native"]) {
    const { status, body } = await of(type);
    assertEquals([status, body["application_type"], body["token_endpoint_auth_method"]], [
      201,
      "native",
      "none",
    ]);
    assertEquals("client_secret" in body, false);
    const secret = (await of(type, "client_secret_basic")).body["client_secret"];
    assertEquals(typeof secret, "string");
  }
  assertRefused(world, await of("web"), "400 invalid_redirect_uri redirect_uri_invalid");
  const need =
    "redirect_uris[2] must be https or http on loopback, because application_type is web, not native";
  assertEquals(world.lastRefusal()?.expected, need);
});

it("registration: the server chooses from lists of supported values (RP Metadata Choices §2)", async (world) => {
  const lists = {
    token_endpoint_auth_methods_supported: [
      "tls_client_auth",
      "client_secret_post",
      "none",
      "private_key_jwt",
    ],
    id_token_signing_alg_values_supported: ["ES512", "ES256"],
    subject_types_supported: ["pairwise"],
  };
  const client = await registered(world, lists);
  assertEquals(client["token_endpoint_auth_method"], "client_secret_post");
  assertEquals(client["id_token_signed_response_alg"], "ES256");
  assertEquals(client["subject_type"], "pairwise");
  assertFalse("token_endpoint_auth_methods_supported" in client);
  const withKeys = await registered(world, { ...lists, jwks: { keys: [publicKey] } });
  assertEquals(withKeys["token_endpoint_auth_method"], "private_key_jwt");
  assertFalse("client_secret" in withKeys);
  const algorithms = { token_endpoint_auth_signing_alg_values_supported: ["PS512", "HS256", "ES256"] };
  const signing = await registered(world, { ...lists, ...algorithms, jwks: { keys: [publicKey] } });
  assertEquals(signing["token_endpoint_auth_signing_alg"], "ES256");
  const sending = await registered(world, { ...lists, ...algorithms });
  assertFalse("token_endpoint_auth_signing_alg" in sending);
  // A single value that the server supports has priority.
  const single = await registered(world, { ...lists, token_endpoint_auth_method: "none" });
  assertEquals(single["token_endpoint_auth_method"], "none");
  // Otherwise the list decides.
  const other = await registered(world, { ...lists, token_endpoint_auth_method: "tls_client_auth" });
  assertEquals(other["token_endpoint_auth_method"], "client_secret_post");
  const rows = [
    ["token_endpoint_auth_methods_supported", ["tls_client_auth"]],
    ["id_token_signing_alg_values_supported", "ES256"],
  ] as const;
  for (const [name, list] of rows) {
    const answer = await register(world, { redirect_uris: [nativeUri], [name]: list });
    assertRefused(world, answer, "400 invalid_client_metadata metadata_invalid");
  }
});

it("registration: the known programs may register their redirect URIs without a token (RFC 8252 §7)", async (world) => {
  for (const { uri } of knownPrograms) {
    const redirect_uris = [uri.replace("*", "0".repeat(32))];
    assertEquals((await registered(world, { redirect_uris }))["redirect_uris"], redirect_uris);
  }
});

it("registration: each member that is null counts as left out (RFC 7592 §2.2)", async (world) => {
  const lists = { token_endpoint_auth_methods_supported: ["private_key_jwt", "client_secret_post"] };
  const own = ["client_id", "client_id_issued_at", "client_secret", "client_secret_expires_at"];
  const managed = ["registration_access_token", "registration_client_uri"];
  const register = async (more: object) => {
    const client = await registered(world, { ...lists, ...more });
    return Object.entries(client).filter(([name]) => ![...own, ...managed].includes(name));
  };
  const usual = await register({});
  for (const name of [...registeredNames, "software_statement", "subject_types_supported"]) {
    if (name !== "redirect_uris") assertEquals(await register({ [name]: null }), usual, name);
  }
});

/** The lists, each with a value that is not the default. */
const choices = [
  ["subject_type", "subject_types_supported", "pairwise"],
  ["id_token_signed_response_alg", "id_token_signing_alg_values_supported", "RS256"],
  ["userinfo_signed_response_alg", "userinfo_signing_alg_values_supported", "ES256"],
  ["request_object_signing_alg", "request_object_signing_alg_values_supported", "EdDSA"],
  ["introspection_signed_response_alg", "introspection_signing_alg_values_supported", "ES256"],
  ["authorization_signed_response_alg", "authorization_signing_alg_values_supported", "RS256"],
] as const;

for (const [name, list, value] of choices) {
  test(`registration: ${list} decides about ${name} (RP Metadata Choices §2)`, async () => {
    const world = createRegistrationWorld({ signingKeys: [sampleKey, sampleRsaKey] });
    assertEquals((await registered(world, { [list]: ["unknown", value] }))[name], value);
  });
}

test("registration: without a method in the request, the client gets one that the server accepts (RFC 7591 §3.2.1)", async () => {
  const methods = async (clientAuthMethods: readonly string[], metadata = {}) => {
    const world = createRegistrationWorld({ clients: [], clientAuthMethods });
    return (await registered(world, metadata))["token_endpoint_auth_method"];
  };
  assertEquals(await methods(["none"]), "none");
  assertEquals(await methods(["none", "client_secret_post"]), "client_secret_post");
  assertEquals(await methods(["client_secret_post", "client_secret_basic"]), "client_secret_basic");
  const jwks = { keys: [publicKey] };
  assertEquals(await methods(["private_key_jwt", "client_secret_post"], { jwks }), "private_key_jwt");
  assertEquals(await methods(["private_key_jwt", "client_secret_post"]), "client_secret_post");
  // A list has only accepted methods to choose from.
  const world = createRegistrationWorld({ clients: [], clientAuthMethods: ["client_secret_post"] });
  const onlyPublic = { redirect_uris: [nativeUri], token_endpoint_auth_methods_supported: ["none"] };
  assertRefused(world, await register(world, onlyPublic), "400 invalid_client_metadata metadata_invalid");
  const keyless = createRegistrationWorld({ clients: [], clientAuthMethods: ["private_key_jwt"] });
  const answer = await register(keyless, { redirect_uris: [nativeUri] });
  assertRefused(keyless, answer, "400 invalid_client_metadata metadata_invalid");
});

it("registration: initiate_login_uri is kept and returned, and must be https (OIDC Registration §2)", async (world) => {
  const initiate_login_uri = "https://app.dev/login";
  const client = await registered(world, { initiate_login_uri });
  const shown = await manage(world, "GET", client);
  assertEquals([client["initiate_login_uri"], shown.body["initiate_login_uri"]], [
    initiate_login_uri,
    initiate_login_uri,
  ]);
  const wrong = [
    "http://app.dev/login",
    "http://localhost:3000/login",
    "app.example:/login",
    "https://app.dev/#login",
    1,
  ];
  for (const each of wrong) {
    const refused = await register(world, { redirect_uris: [nativeUri], initiate_login_uri: each });
    assertRefused(world, refused, "400 invalid_client_metadata metadata_invalid");
  }
});

it("registration: a client that names no method keeps client_secret_basic, and the refusal of a posted secret quotes the line to register (RFC 7591 §2)", async (world) => {
  const { client_id, client_secret, ...client } = await registered(world);
  assertEquals(client["token_endpoint_auth_method"], "client_secret_basic");
  const post = async () => {
    const form = { grant_type: "refresh_token", refresh_token: "x", client_id, client_secret };
    return await (await world.post("/oauth2/token", form)).json();
  };
  assertEquals(await post(), {
    error: "invalid_client",
    error_description:
      "This client must authenticate with client_secret_basic, or register token_endpoint_auth_method " +
      "client_secret_post",
  });
  const { reason, expected } = world.lastRefusal()!;
  assertEquals(reason, "method_not_registered");
  assert(expected?.includes('"token_endpoint_auth_method": "client_secret_post"'), expected);
  // The refused request has not changed the method.
  assertEquals((await logIn(world, { client_id, client_secret })).status, 200);
  assertEquals((await post()).error, "invalid_client");
});
