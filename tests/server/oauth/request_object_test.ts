/** Signed authorization requests (RFC 9101), by value and pushed (RFC 9126 §3). */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { exportJWK, generateKeyPair, SignJWT } from "jose";
import type { ClientMetadata } from "../../../src/mod.ts";
import { paramsOf } from "../../../src/server/features/request_object/read_request_object.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import {
  authorizationParams,
  basic,
  callbackParams,
  challenge,
  createBrowser,
  createWorld,
  inWorld,
  redirectUri,
  sampleRsaKey,
  type World,
  type WorldOptions,
} from "../../world.ts";
import {
  assertCannotCreate,
  assertCode,
  assertRefusedByRedirect,
  assertRefusedInJson,
  assertRefusedOnPage,
  assertTokens,
} from "./refusals.ts";

const { privateKey, publicKey } = await generateKeyPair("ES256", { extractable: true });
const foreign = (await generateKeyPair("ES256")).privateKey;
const jwk = { ...await exportJWK(publicKey), kid: "a" };
const keys = { keys: [jwk, { kty: "RSA", n: sampleRsaKey.n, e: sampleRsaKey.e, kid: "r" }] };

const client: ClientMetadata = { client_id: "app", redirect_uris: [redirectUri], jwks: keys as never };
const secret = "a secret";
const clients: readonly ClientMetadata[] = [
  client,
  { ...client, client_id: "confidential", client_secret: secret },
  { client_id: "keyless", redirect_uris: [redirectUri] },
  {
    client_id: "encrypting",
    redirect_uris: [redirectUri],
    jwks: { keys: [{ ...jwk, use: "enc" }] } as never,
  },
];
const options: WorldOptions = { clients };

const it = testWith(options);

type Claims = Readonly<Record<string, unknown>>;

/** The claims of a valid object with some changed. `undefined` leaves one out. */
function claimsOf(world: World, changed: Claims = {}): Claims {
  return {
    ...{ iss: "app", aud: world.issuer, exp: world.clock.now + 60, iat: world.clock.now },
    ...authorizationParams({ client_id: "app", state: "signed state" }),
    ...changed,
  };
}

interface Signing {
  readonly header?: Claims;
  readonly key?: CryptoKey;
}

async function sign(
  world: World,
  changed: Claims = {},
  { header, key = privateKey as CryptoKey }: Signing = {},
) {
  const all = { alg: "ES256", kid: "a", typ: "oauth-authz-req+jwt", ...header } as { alg: string };
  return await new SignJWT(claimsOf(world, changed)).setProtectedHeader(all).sign(key);
}

const encode = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");

const open = (world: World, request: string, more: Readonly<Record<string, string>> = {}) =>
  world.get(`/oauth2/authorize?${new URLSearchParams({ client_id: "app", request, ...more })}`);

const push = (world: World, form: Readonly<Record<string, string>>, headers?: HeadersInit) =>
  world.post("/oauth2/par", form, headers);

it("request object: a signed request has its own parameters, and the answer its state (RFC 9101 §4, §5)", async ({ world }) => {
  for (const typ of ["oauth-authz-req+jwt", "application/oauth-authz-req+jwt", "JWT", undefined]) {
    const response = await open(world, await sign(world, {}, { header: { typ } }));
    const code = assertCode(response);
    assertEquals(callbackParams(response).get("state"), "signed state");
    assertEquals(world.journal.at(-1)?.facts.arrivedBy, ["signed request object"]);
    assertEquals(world.journal.at(-1)?.facts.advice, undefined);
    const tokens = await assertTokens(await world.redeem(code, { client_id: "app" }));
    assertEquals(tokens["scope"], "read");
  }
});

it("request object: it may be sent again until it expires, because a client may not know replay (RFC 9101 §10.2)", async ({ world }) => {
  const request = await sign(world);
  assertCode(await open(world, request));
  assertCode(await open(world, request));
});

test("request object: the example of RFC 9126 §3 is valid", () => {
  const example =
    "eyJraWQiOiJrMmJkYyIsImFsZyI6IlJTMjU2In0.eyJpc3MiOiJzNkJoZFJrcXQzIiwiYXVkIjoiaHR0cHM6Ly9zZXJ2ZXIuZXhhbXBsZS5jb20iLCJleHAiOjE2MjU4Njk2NzcsInJlc3BvbnNlX3R5cGUiOiJjb2RlIiwiY2xpZW50X2lkIjoiczZCaGRSa3F0MyIsInJlZGlyZWN0X3VyaSI6Imh0dHBzOi8vY2xpZW50LmV4YW1wbGUub3JnL2NiIiwic2NvcGUiOiJhY2NvdW50LWluZm9ybWF0aW9uIiwic3RhdGUiOiJhZjBpZmpzbGRraiIsImNvZGVfY2hhbGxlbmdlIjoiSzItbHRjODNhY2M0aDBjOXc2RVNDX3JFTVRKM2J3dy11Q0hhb2VLMXQ4VSIsImNvZGVfY2hhbGxlbmdlX21ldGhvZCI6IlMyNTYifQ.l9R3RC9bFBHry_8acObQjEf4fX5yfJkWUPfak3J3iiBm0aaQznPw5BZ0B3VQZ9_KYdPt5bTkaflS5fSDklM3_7my9MyOSKFYmf46INk6ju_qUuC2crkOQXZWYJB-0bnYEbdHpUjazFSUvN49cEGstNQeE-dKDWHNgEojgcuNA_pjKfL9VYp1dEA6-WjXZ_OlJ7R_mBWpjFAzc0UkQwqX5hfOJoGTqB2tE4a4aB2z8iYlUJp0DeeYp_hPN6svtmdvte73p5bLGDFpRIlmrBQIAQuxiS0skORpXlS0cBcgHimXVnXOJG7E-A_lS_5y54dVLQPA1jKYx-fxbYSG7dp2fw";
  const key = {
    kty: "RSA",
    kid: "k2bdc",
    n: "y9Lqv4fCp6Ei-u2-ZCKq83YvbFEk6JMs_pSj76eMkddWRuWX2aBKGHAtKlE5P7_vn__PCKZWePt3vGkB6ePgzAFu08NmKemwE5bQI0e6kIChtt_6KzT5OaaXDFI6qCLJmk51Cc4VYFaxgqevMncYrzaW_50mZ1yGSFIQzLYP8bijAHGVjdEFgZaZEN9lsn_GdWLaJpHrB3ROlS50E45wxrlg9xMncVb8qDPuXZarvghLL0HzOuYRadBJVoWZowDNTpKpk2RklZ7QaBO7XDv3uR7s_sf2g-bAjSYxYUGsqkNA9b3xVW53am_UZZ3tZbFTIh557JICWKHlWj5uzeJXaw",
    e: "AQAB",
  };
  const client_id = "s6BhdRkqt3";
  const uri = "https://client.example.org/cb";
  const [own, other] = [client_id, "other"].map((id) => ({
    client_id: id,
    redirect_uris: [uri],
    jwks: { keys: [key] },
  }));
  const issuer = "https://server.example.com";
  return inWorld({ issuer, clients: [own!, other!] }, async (world) => {
    world.clock.now = 1_625_869_600;
    const code = assertCode(await open(world, example, { client_id }));
    assertEquals(world.journal.at(-1)?.facts.scope, ["account-information"]);
    assert(code !== "");
    assertEquals((await push(world, { client_id, request: example })).status, 201);
    const response = await push(world, { client_id: "other", request: example });
    assertEquals([response.status, world.lastRefusal()?.reason], [400, "request_object_issuer"]);
    // The server allows 60 seconds between its clock and the client's.
    world.clock.now = 1_625_869_677 + 61;
    assertEquals(
      callbackParams(await open(world, example, { client_id })).get("error"),
      "invalid_request_object",
    );
  });
});

/** Objects that are refused, with the reason. */
const refused: Readonly<
  Record<string, readonly [reason: string, make: (world: World) => string | Promise<string>]>
> = {
  "without a signature (alg none) (RFC 9101 §4)": [
    "request_object_unsigned",
    (world) => `${encode({ alg: "none" })}.${encode(claimsOf(world))}.`,
  ],
  "with alg none and a signature (RFC 9101 §4)": [
    "request_object_signature",
    (world) => `${encode({ alg: "none", kid: "a" })}.${encode(claimsOf(world))}.AAAA`,
  ],
  "signed with a secret (RFC 9101 §7)": [
    "request_object_signature",
    (world) =>
      sign(world, {}, { header: { alg: "HS256" }, key: new TextEncoder().encode(secret.repeat(9)) as never }),
  ],
  "signed with another key (RFC 9101 §7)": [
    "request_object_signature",
    (world) => sign(world, {}, { key: foreign }),
  ],
  "with an unknown kid (RFC 9101 §7)": [
    "request_object_signature",
    (world) => sign(world, {}, { header: { kid: "b" } }),
  ],
  "with changed claims (RFC 9101 §7)": ["request_object_signature", async (world) => {
    const [header, , signature] = (await sign(world)).split(".");
    return `${header}.${encode(claimsOf(world, { scope: "admin" }))}.${signature}`;
  }],
  "that has expired (RFC 9101 §7)": [
    "request_object_expired",
    (world) => sign(world, { exp: world.clock.now - 60 }),
  ],
  "with an exp that is text": ["request_object_expired", (world) => sign(world, { exp: "soon" })],
  "that is valid for more than an hour (FAPI)": [
    "request_object_too_long",
    (world) => sign(world, { exp: world.clock.now + 3661 }),
  ],
  "with an nbf before 1970": ["request_object_expired", (world) => sign(world, { nbf: -1 })],
  "with an nbf in the future": [
    "request_object_expired",
    (world) => sign(world, { nbf: world.clock.now + 61 }),
  ],
  "for another server (RFC 9101 §7, §4)": [
    "request_object_audience",
    (world) => sign(world, { aud: "https://other.example" }),
  ],
  "for two servers (RFC 9101 §4)": [
    "request_object_audience",
    (world) => sign(world, { aud: [world.issuer, "https://other.example"] }),
  ],
  "without aud (RFC 9101 §4)": ["request_object_audience", (world) => sign(world, { aud: undefined })],
  "of another issuer (RFC 9101 §4)": ["request_object_issuer", (world) => sign(world, { iss: "other" })],
  "of an issuer that is no text": [
    "request_object_issuer",
    (world) => sign(world, { iss: { toString: null } }),
  ],
  "that is an ID token by its typ (RFC 9101 §10.8)": [
    "request_object_type",
    (world) => sign(world, {}, { header: { typ: "at+jwt" } }),
  ],
  "of a typ with more around it (RFC 9101 §10.8)": [
    "request_object_type",
    (world) => sign(world, {}, { header: { typ: "oauth-authz-req+jwts" } }),
  ],
  "whose sub is the client, as in a client assertion (RFC 9101 §10.8)": [
    "request_object_subject",
    (world) => sign(world, { sub: "app" }),
  ],
  "with a request inside (RFC 9101 §4)": ["request_object_nested", (world) => sign(world, { request: "x" })],
  "with a request_uri inside (RFC 9101 §4)": [
    "request_object_nested",
    (world) => sign(world, { request_uri: "https://app.example/r" }),
  ],
  "that is encrypted (RFC 9101 §4)": [
    "request_object_encrypted",
    () => `${encode({ alg: "RSA-OAEP" })}.a.b.c.d`,
  ],
  "that is no JWT (RFC 9101 §7)": ["request_object_not_jwt", () => "no JWT"],
  "with a payload that is no object (RFC 9101 §7)": [
    "request_object_signature",
    () => `${encode({ alg: "ES256", kid: "a" })}.${encode([])}.AAAA`,
  ],
};

/** The server reads no redirect URI in these objects, so it shows a page. */
const isUnreadable: ReadonlySet<string> = new Set([
  "request_object_unsigned",
  "request_object_encrypted",
  "request_object_not_jwt",
]);

for (const [name, [reason, make]] of Object.entries(refused)) {
  it(`request object: one ${name} is refused everywhere (RFC 9101 §4, §6, §7)`, async ({ world }) => {
    const error = "invalid_request_object";
    const request = await make(world);
    const response = await open(world, request);
    if (isUnreadable.has(reason) || name.startsWith("with a payload")) {
      await assertRefusedOnPage(world, response, { error, reason });
    } else assertRefusedByRedirect(world, response, { error, reason, state: "signed state" });
    // The redirect URI in the address is good enough for the error.
    const outside = await open(world, request, { redirect_uri: redirectUri, state: "outer" });
    assertRefusedByRedirect(world, outside, { error, reason, state: "outer" });
    // The errors of the endpoint for pushed requests are JSON.
    await assertRefusedInJson(world, await push(world, { client_id: "app", request }), { error, reason });
  });
}

it("request object: a bad object never sends the browser to an unregistered redirect URI (RFC 9700 §4.11)", async ({ world }) => {
  const redirect_uri = "https://evil.example/cb";
  const request = await sign(world, { redirect_uri }, { key: foreign });
  const expected = { error: "invalid_request_object", reason: "request_object_signature" };
  await assertRefusedOnPage(world, await open(world, request), expected);
  await assertRefusedOnPage(world, await open(world, request, { redirect_uri }), expected);
  const valid = await sign(world, { redirect_uri });
  const unregistered = { error: "invalid_request", reason: "redirect_uri_unregistered" };
  await assertRefusedOnPage(world, await open(world, valid), unregistered);
});

it("request object: client_id is outside and inside, and equal (RFC 9101 §5, §6.3)", async ({ world }) => {
  const differs = { error: "invalid_request", reason: "client_id_differs" };
  for (const client_id of [undefined, "confidential"]) {
    const request = await sign(world, { client_id });
    await assertRefusedOnPage(world, await open(world, request), differs);
    await assertRefusedInJson(world, await push(world, { client_id: "app", request }), differs);
  }
  const without = await world.get(`/oauth2/authorize?${new URLSearchParams({ request: await sign(world) })}`);
  await assertRefusedOnPage(world, without, { error: "invalid_request", reason: "client_id_missing" });
});

it("request object: parameters outside have no effect, and the journal names them (RFC 9101 §6.3)", async ({ world }) => {
  const outside = { response_type: "code", scope: "openid admin", nonce: "outer", state: "outer" };
  const response = await open(world, await sign(world, { state: undefined }), outside);
  const code = assertCode(response);
  assertEquals([...callbackParams(response).keys()], ["code", "iss"]);
  const { advice } = world.journal.at(-1)!.facts;
  assertEquals([advice?.reason, advice?.received], ["parameters_ignored", "scope, nonce, state"]);
  const tokens = await assertTokens(await world.redeem(code, { client_id: "app" }));
  assertEquals([tokens["scope"], tokens["id_token"]], ["read", undefined]);

  // OpenID Connect Core §6.1 would fill the gaps of the object from the outside. RFC 9101 §6.3 forbids it.
  const incomplete = await open(
    world,
    await sign(world, { code_challenge: undefined, code_challenge_method: undefined }),
    { code_challenge: challenge, code_challenge_method: "S256" },
  );
  const missing = { error: "invalid_request", reason: "challenge_missing", state: "signed state" };
  assertRefusedByRedirect(world, incomplete, missing);
});

it("request object: request and request_uri cannot be combined (RFC 9101 §5)", async ({ world }) => {
  const request = await sign(world);
  const { request_uri } = await (await push(world, { client_id: "app", request })).json();
  const both = { error: "invalid_request", reason: "two_request_sources" };
  await assertRefusedOnPage(world, await open(world, request, { request_uri }), both);
  assertEquals(world.lastRefusal()?.description, "request_uri and request cannot be combined");
  await assertRefusedOnPage(world, await open(world, request, { request_uri: "https://a.example" }), both);
  const pushed = await push(world, { client_id: "app", request, request_uri });
  await assertRefusedInJson(world, pushed, { error: "invalid_request", reason: "reference_pushed" });
});

test("request object: numbers, objects and lists become parameters (RFC 9101 §4)", () =>
  inWorld({ ...options, login: "picker" }, async (world) => {
    const request = await sign(world, {
      scope: "openid",
      nonce: "n",
      max_age: 3600,
      resource: ["https://a.example/", "https://b.example/"],
      claims: { id_token: { email: null } },
      login_hint: null,
      state: null,
    });
    const browser = createBrowser(world);
    const signIn = await browser.open(
      `/oauth2/authorize?${new URLSearchParams({ client_id: "app", request })}`,
    );
    // The form counts from here on.
    world.clock.advance(600);
    const consent = await browser.submit(signIn, { person: "alice" });
    assertStringIncludes(consent.html, "https://b.example/");
    assertStringIncludes(consent.html, "email");
    const answer = await browser.submit(consent, { decision: "approve" });
    const returned = new URL(answer.leftFor!).searchParams;
    assertEquals(returned.has("state"), false);
    const tokens = await assertTokens(await world.redeem(returned.get("code")!, { client_id: "app" }));
    const claims = JSON.parse(
      atob(String(tokens["id_token"]).split(".")[1]!.replace(/-/g, "+").replace(/_/g, "/")),
    );
    assertEquals([claims.nonce, typeof claims.auth_time], ["n", "number"]);
  }));

it("request object: pushed, it stands beside the credentials only (RFC 9126 §3)", async ({ world }) => {
  const claims = { client_id: "confidential", iss: "confidential" };
  const authorization = basic("confidential", secret);
  const request = await sign(world, claims);
  for (const form of [{ request }, { request, client_id: "confidential" }]) {
    const response = await push(world, form, authorization);
    const { request_uri } = await response.json();
    assertEquals(response.status, 201);
    const query = new URLSearchParams({ client_id: "confidential", request_uri });
    assertCode(await world.get(`/oauth2/authorize?${query}`));
    assertEquals(world.journal.at(-1)?.facts.arrivedBy, ["signed request object", "pushed request"]);
  }
  const beside = { error: "invalid_request", reason: "parameters_beside_request" };
  const more = await push(world, { request, state: "x", scope: "read" }, authorization);
  await assertRefusedInJson(world, more, beside);
  assertEquals(world.lastRefusal()?.received, "state, scope");
  const unauthenticated = {
    error: "invalid_client",
    reason: "secret_missing",
    status: 401,
    challenge: "Basic",
  };
  await assertRefusedInJson(
    world,
    await push(world, { request, client_id: "confidential" }),
    unauthenticated,
  );
});

test("request object: only the registered algorithm is accepted (OpenID Connect Registration §2)", () =>
  inWorld({ clients: [{ ...client, request_object_signing_alg: "ES256" }] }, async (world) => {
    assertCode(await open(world, await sign(world)));
    const algorithm = { name: "RSASSA-PKCS1-v1_5", hash: "SHA-256" };
    const key = await crypto.subtle.importKey("jwk", sampleRsaKey, algorithm, false, ["sign"]);
    const request = await sign(world, {}, { header: { alg: "RS256", kid: "r" }, key });
    assertRefusedByRedirect(world, await open(world, request), {
      error: "invalid_request_object",
      reason: "request_object_algorithm",
      state: "signed state",
    });
  }));

test("request object: the algorithm none cannot be registered (RFC 9101 §10.1)", () =>
  assertCannotCreate(
    () => createWorld({ clients: [{ ...client, request_object_signing_alg: "none" as never }] }),
    "clients[0].request_object_signing_alg must be one of RS256, PS256, ES256, EdDSA",
  ));

it("request object: a client without signing keys learns that it needs jwks (RFC 9101 §6.2)", async ({ world }) => {
  for (const client_id of ["keyless", "encrypting"]) {
    const response = await open(world, await sign(world, { client_id, iss: client_id }), { client_id });
    const expected = { error: "invalid_request_object", reason: "request_object_signature" };
    assertRefusedByRedirect(world, response, { ...expected, state: "signed state" });
    assertEquals(world.lastRefusal()?.expected, "a client with jwks or jwks_uri");
    assertStringIncludes(world.lastRefusal()?.remedy ?? "", '"jwks"');
  }
});

test("request object: a client that must sign cannot send plain parameters, nor push them (RFC 9101 §10.5)", () => {
  const signing = { ...client, require_signed_request_object: true };
  return inWorld({ clients: [signing, clients[2]!] }, async (world) => {
    const required = { error: "invalid_request", reason: "request_source_required" };
    assertRefusedByRedirect(world, await world.authorize({ client_id: "app" }), required);
    assertEquals(world.lastRefusal()?.expected, "client_id and request");
    const { searchParams } = new URL(world.authorizeUrl({ client_id: "app" }));
    await assertRefusedInJson(world, await push(world, Object.fromEntries(searchParams)), required);
    assertCode(await open(world, await sign(world)));
    assertEquals((await push(world, { client_id: "app", request: await sign(world) })).status, 201);
    assertCode(await world.authorize({ client_id: "keyless" }));
  });
});

test("request object: a client without keys cannot be configured to sign (RFC 9101 §10.5)", () =>
  assertCannotCreate(
    () => createWorld({ clients: [{ ...clients[2]!, require_signed_request_object: true }] }),
    "clients[0].require_signed_request_object must be left out, or the client needs jwks or jwks_uri",
  ));

test("request object: requireSignedRequests is for every client, and is announced (RFC 9101 §10.5)", () =>
  inWorld({ ...options, requireSignedRequests: true }, async (world) => {
    const required = { error: "invalid_request", reason: "request_source_required" };
    assertRefusedByRedirect(world, await world.authorize({ client_id: "keyless" }), required);
    assertCode(await open(world, await sign(world)));
    const metadata = await (await world.get("/.well-known/openid-configuration")).json();
    assertEquals(metadata.require_signed_request_object, true);
  }));

const bounded: WorldOptions = { clients: [{ ...client, request_object_times: "bounded" }] };
const hour = 3600;

test("request object: bounded, it says when it begins and ends, an hour apart at most (FAPI 2.0 Message Signing §5.3.1)", () =>
  inWorld(bounded, async (world) => {
    const { now } = world.clock;
    const wrong: readonly Claims[] = [
      { nbf: now, exp: undefined },
      { nbf: undefined, exp: now + 60 },
      { nbf: now - hour - 70, exp: now + 60 },
      { nbf: now - 60, exp: now + hour - 50 },
    ];
    for (const claims of wrong) {
      const error = callbackParams(await open(world, await sign(world, claims))).get("error");
      assertEquals([error, world.lastRefusal()?.reason], [
        "invalid_request_object",
        "request_object_unbounded",
      ]);
    }
    const times = [{ nbf: now, exp: now + hour }, { nbf: now + 8, exp: now + 60 }, {
      nbf: now - hour,
      exp: now,
    }];
    for (const claims of times) {
      assertCode(await open(world, await sign(world, claims)));
    }
  }));

test("request object: bounded, its aud may be a list with the issuer, and otherwise only the issuer (FAPI 2.0 Message Signing §5.3.1)", () =>
  inWorld({ clients: [...bounded.clients!, { ...client, client_id: "usual" }] }, async (world) => {
    const aud = ["https://other.example", world.issuer];
    const nbf = world.clock.now;
    assertCode(await open(world, await sign(world, { aud, nbf })));
    await open(world, await sign(world, { aud: ["https://other.example"], nbf }));
    assertEquals(world.lastRefusal()?.reason, "request_object_audience");
    const usual = { client_id: "usual", iss: "usual" };
    await open(world, await sign(world, { ...usual, aud }), usual);
    assertEquals(world.lastRefusal()?.reason, "request_object_audience");
  }));

test("request object: the claims of the JWT itself are no parameters (RFC 9101 §4, RFC 7519 §4.1)", () => {
  const claims = { iss: "public", aud: "https://as.test", exp: 2, nbf: 1, iat: 1, jti: "j", scope: "read" };
  assertEquals(paramsOf(claims).pairs, [["scope", "read"]]);
});
