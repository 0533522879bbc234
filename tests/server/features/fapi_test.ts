/** The option `profile`: what FAPI 2.0 demands of a server, with clients as the only other configuration. */

import { assert, assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type ClientMetadata, createServer, type ServerOptions } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { assertion, keys, show } from "../tokens/assertions.ts";
import { assertRefused, refusalOf } from "../tokens/bearer.ts";
import { authority } from "./mtls/certificates.ts";
import { createProofKey, proof } from "../tokens/dpop.ts";
import {
  callbackParams,
  challenge,
  inWorld,
  type Params,
  redirectUri,
  sampleKey,
  sampleRsaKey,
  verifier,
  type World,
} from "../../world.ts";

const publicKey = (pair: typeof keys.es256, kid: string) => ({ keys: [{ ...pair.jwk, kid } as JsonWebKey] });

const bank: ClientMetadata = {
  client_id: "bank",
  jwks: publicKey(keys.es256, "es"),
  redirect_uris: [redirectUri],
};
const other: ClientMetadata = { ...bank, client_id: "other", jwks: publicKey(keys.edDsa, "ed") };
const rsa: ClientMetadata = { ...bank, client_id: "rsa", jwks: publicKey(keys.rs256, "rs") };

const options: ServerOptions = { profile: "fapi2-security", clients: [bank, other, rsa] };
const key = await createProofKey();

/** A server with the profile and clients alone, except for its keys and the person who signs in. */
const inProfile = (work: (world: World) => Promise<void>, changed: ServerOptions = {}) =>
  inWorld(
    { issuer: "https://as.test", login: "auto", signingKeys: [sampleKey], people, ...options, ...changed },
    work,
    {},
  );
const people = [{ username: "alice" }];

const requested = {
  response_type: "code",
  redirect_uri: redirectUri,
  scope: "read",
  state: "a state",
  code_challenge: challenge,
  code_challenge_method: "S256",
};

const push = async (world: World, changed: Params = {}, headers?: HeadersInit) =>
  world.post("/oauth2/par", {
    ...requested,
    ...show(await assertion(world, { clientId: "bank" })),
    ...changed,
  }, headers);

async function authorize(world: World, pushed?: Response): Promise<Response> {
  const { request_uri } = await (pushed ?? await push(world)).json();
  return await world.get(`/oauth2/authorize?${new URLSearchParams({ client_id: "bank", request_uri })}`);
}

async function codeOf(world: World, pushed?: Response): Promise<string> {
  return callbackParams(await authorize(world, pushed)).get("code")!;
}

const redeem = async (world: World, code: string, changed: Params = {}, headers?: HeadersInit) =>
  world.post("/oauth2/token", {
    grant_type: "authorization_code",
    code,
    redirect_uri: redirectUri,
    code_verifier: verifier,
    ...show(await assertion(world, { clientId: "bank" })),
    ...changed,
  }, headers ?? await proof(key, world));

const metadataOf = async (world: World) =>
  await (await world.get("/.well-known/oauth-authorization-server")).json();

const it = testIn(inProfile);

it("fapi: the metadata has only confidential clients (FAPI 2.0 §5.3.2.1-3)", async (world) => {
  const metadata = await metadataOf(world);
  assertEquals(metadata.token_endpoint_auth_methods_supported, ["private_key_jwt"]);
  assertEquals(metadata.registration_endpoint, undefined);
  assertEquals(metadata.client_id_metadata_document_supported, undefined);
  for (const id of ["demo", "newcomer", "https://client.example/app"]) {
    const url = world.authorizeUrl({ client_id: id, redirect_uri: "http://localhost/cb" });
    assertEquals((await world.get(url)).status, 400);
  }
});

test("fapi: a server without configured clients has no demo clients (FAPI 2.0 §5.3.2.1-3)", () => {
  const { clients: _, ...clientless } = options;
  return inWorld({ ...clientless, people, signingKeys: [sampleKey] }, async (world) => {
    for (const client_id of ["demo", "demo-confidential"]) {
      const redirect_uri = `${world.issuer}/authorized`;
      assertEquals((await world.get(world.authorizeUrl({ client_id, redirect_uri }))).status, 400);
      assertEquals(world.lastRefusal()?.reason, "client_unknown");
    }
  }, {});
});

it("fapi: a code is valid for less than 60 seconds, and once (FAPI 2.0 §5.3.2.1-11, §5.3.2.2-9)", async (world) => {
  const [early, late] = [await codeOf(world), await codeOf(world)];
  world.clock.advance(59);
  assertEquals((await redeem(world, early)).status, 200);
  assertEquals((await refusalOf(world, redeem(world, early)))[2], "code_replayed");
  world.clock.advance(1);
  await assertRefused(world, redeem(world, late), "400 invalid_grant code_expired");
});

it("fapi: a request that was not pushed is refused, and so is a push without an assertion (FAPI 2.0 §5.3.2.2-2..4)", async (world) => {
  assertEquals((await metadataOf(world)).require_pushed_authorization_requests, true);
  const answer = await world.get(world.authorizeUrl({ client_id: "bank" }));
  assertEquals(callbackParams(answer).get("error"), "invalid_request");
  const unproved = { client_id: "bank", client_assertion: undefined, client_assertion_type: undefined };
  assertEquals((await refusalOf(world, push(world, unproved)))[1], "invalid_client");
});

test("fapi: a redirect URI is not http, except on loopback (FAPI 2.0 §5.3.2.2-8)", async () => {
  const lan = { ...bank, redirect_uris: ["http://192.168.1.5/cb"], allow_private_http: true };
  refuses({ ...options, clients: [lan] }, /redirect_uris must be https.*§5\.3\.2\.2-8/);
  const clients = [{ ...bank, redirect_uris: ["http://127.0.0.1/cb"] }];
  await createServer({ ...options, clients, people: [] }).close();
});

it("fapi: a pushed request expires in less than 600 seconds (FAPI 2.0 §5.3.2.2-12)", async (world) => {
  assert((await (await push(world)).json()).expires_in < 600);
  refuses(
    { ...options, lifetimes: { pushedRequest: 600 } },
    /lifetimes\.pushedRequest must be less than 600.*-12/,
  );
});

it("fapi: RS256 is neither announced nor accepted (FAPI 2.0 §5.4.1)", async (world) => {
  const metadata = await metadataOf(world);
  const discovered = await (await world.get("/.well-known/openid-configuration")).json();
  const lists = Object.entries({ ...metadata, ...discovered }).filter(([name]) =>
    /_signing_alg_values_supported$/.test(name)
  );
  assert(lists.length >= 5);
  for (const [name, algorithms] of lists) {
    const wrong = (algorithms as string[]).filter((alg) => !/^(PS256|ES256|EdDSA|Ed25519)$/.test(alg));
    assertEquals(wrong, [], name);
  }
  const header = { alg: "RS256", kid: "rs" };
  const wrong = await assertion(world, { clientId: "rsa", key: keys.rs256.privateKey, header });
  assertEquals((await refusalOf(world, push(world, show(wrong))))[2], "assertion_signature");
  const code = await codeOf(world);
  const proved = redeem(world, code, {}, await proof(await createProofKey("RS256"), world));
  assertEquals((await refusalOf(world, proved))[2], "dpop_algorithm");
});

function refuses(wrong: ServerOptions, message: RegExp): void {
  const error = assertThrows(() => createServer({ people: [], ...wrong })) as Error;
  assertMatch(error.message, message);
}

/** Options that contradict the profile, and where the start says so. */
const contradictions: readonly (readonly [changed: ServerOptions, message: RegExp])[] = [
  [
    { issuer: "http://postern:9000", allowPrivateHttp: true },
    /issuer must be https, or on loopback .*§5\.2\.1/,
  ],
  [{ allowPrivateHttp: true }, /allowPrivateHttp must be false/],
  [{ firstUse: true }, /firstUse must be false .*§5\.3\.2\.1-3/],
  [{ registration: true }, /registration must be false .*§5\.3\.2\.1-3/],
  [{ clientDocuments: true }, /clientDocuments must be false .*§5\.3\.2\.1-3/],
  [{ exposeDemo: true }, /exposeDemo must be false .*§5\.3\.2\.1-3/],
  [{ dpop: false }, /dpop must not be false without the option mtls .*§5\.3\.2\.1-5/],
  [{ clientAuthMethods: ["private_key_jwt", "none"] }, /clientAuthMethods must have only .*§5\.3\.2\.1-6/],
  [{ rotateRefreshTokens: true }, /rotateRefreshTokens must be false .*§5\.3\.2\.1-9/],
  [{ lifetimes: { code: "2m" } }, /lifetimes\.code must be at most 60 seconds .*§5\.3\.2\.1-11/],
  [{ requirePushedRequests: false }, /requirePushedRequests must be true .*§5\.3\.2\.2-3/],
  [{ issSent: "absent" }, /issSent must be right .*§5\.3\.2\.2-7/],
  [{ issAnnounced: false }, /issAnnounced must be true .*§5\.3\.2\.2-7/],
  [{ alg: "RS256" }, /alg must be ES256, PS256 or EdDSA .*§5\.4\.1/],
  [{ acceptedAlgorithms: ["ES256", "RS256"] }, /acceptedAlgorithms must have only .*§5\.4\.1/],
  [{ dpop: { algorithms: ["RS256"] } }, /dpop\.algorithms must have only .*§5\.4\.1/],
];

for (const [changed, message] of contradictions) {
  const [name = ""] = Object.keys(changed);
  test(`fapi: the start refuses ${name} ${JSON.stringify(changed[name as keyof ServerOptions])} (FAPI 2.0)`, () =>
    refuses({ ...options, ...changed }, message));
}

const memberContradictions: readonly (readonly [changed: Partial<ClientMetadata>, message: RegExp])[] = [
  [{ require_bound_access_tokens: false }, /require_bound_access_tokens must be true .*§5\.3\.2\.1-4/],
  [
    { client_assertion_audience: "endpoint" },
    /client_assertion_audience must be issuer_string .*§5\.3\.2\.1-8/,
  ],
  [{ rotate_refresh_tokens: true }, /rotate_refresh_tokens must be false .*§5\.3\.2\.1-9/],
  [{ authorization_code_lifetime: 90 }, /authorization_code_lifetime must be at most 60 .*§5\.3\.2\.1-11/],
  [{ require_pushed_authorization_requests: false }, /require_pushed_authorization_requests must be true/],
  [{ allow_private_http: true }, /allow_private_http must be false .*§5\.3\.2\.2-8/],
  [{ require_pkce: false }, /require_pkce must be true .*§5\.3\.2\.2-5/],
  [{ oauth_version: "2.1" }, /oauth_version must be left out, .*§5\.3\.2\.2-6/],
  [{ id_token_signed_response_alg: "RS256" }, /id_token_signed_response_alg must be .*§5\.4\.1/],
  [
    { request_object_signing_alg: "PS256", userinfo_signed_response_alg: "RS256" },
    /userinfo_signed_response_alg must be .*§5\.4\.1/,
  ],
  [{ token_endpoint_auth_signing_alg: "RS256" }, /token_endpoint_auth_signing_alg must be .*§5\.4\.1/],
  [{ accepted_signing_algs: ["ES256", "RS256"] }, /accepted_signing_algs must have only .*§5\.4\.1/],
  [
    { redirect_uris: [redirectUri, "http://app.example/cb"] },
    /redirect_uris must be https, .*§5\.3\.2\.2-8\), not "http:\/\/app\.example\/cb"/,
  ],
];

for (const [changed, message] of memberContradictions) {
  test(`fapi: the start refuses a client with ${JSON.stringify(changed)} (FAPI 2.0)`, () => {
    refuses(
      { ...options, clients: [bank, { ...other, ...changed }] },
      new RegExp(`clients\\[1\\]\\.${message.source}`),
    );
    const alone = { alg: "ES256", clients: [{ ...bank, profile: "fapi2-security", ...changed }] } as const;
    refuses(alone, new RegExp(`clients\\[0\\]\\.${message.source}`));
  });
}

test("fapi: the lifetimes of the configuration stay beside those of the profile (FAPI 2.0 §5.3.2.1-11)", () =>
  inProfile(async (world) => {
    assertEquals((await (await redeem(world, await codeOf(world))).json()).expires_in, 120);
    const late = await codeOf(world);
    world.clock.advance(60);
    assertEquals((await refusalOf(world, redeem(world, late)))[2], "code_expired");
  }, { lifetimes: { accessToken: "2m" } }));

test("fapi: a client alone signs with ES256, PS256 or EdDSA, and gets JARM in the server's algorithm (FAPI 2.0 §5.4.1)", () =>
  inProfile(async (world) => {
    const header = { alg: "RS256", kid: "rs" };
    const wrong = await assertion(world, { clientId: "rsa", key: keys.rs256.privateKey, header });
    assertEquals((await refusalOf(world, push(world, show(wrong))))[2], "assertion_signature");
    const answer = await authorize(world, await push(world, { response_mode: "jwt" }));
    const [head = ""] = callbackParams(answer).get("response")!.split(".");
    assertEquals(JSON.parse(atob(head)).alg, "ES256");
  }, {
    profile: undefined,
    alg: "ES256",
    signingKeys: [sampleRsaKey, sampleKey],
    clients: [bank, rsa].map((client) => ({ ...client, profile: "fapi2-security" })),
  } as never));

test("fapi: a client alone can have the profile, and the metadata stays true for all (FAPI 2.0)", () => {
  const clients: ClientMetadata[] = [{ ...bank, profile: "fapi2-security" }, {
    client_id: "public",
    redirect_uris: [redirectUri],
  }];
  return inProfile(async (world) => {
    const metadata = await metadataOf(world);
    assertEquals(metadata.require_pushed_authorization_requests, false);
    assert(metadata.token_endpoint_auth_methods_supported.includes("none"));
    const answer = await world.get(world.authorizeUrl({ client_id: "bank" }));
    assertEquals(callbackParams(answer).get("error"), "invalid_request");
    assertEquals((await refusalOf(world, redeem(world, await codeOf(world), {}, {})))[2], "proof_missing");
    const late = await codeOf(world);
    world.clock.advance(60);
    assertEquals((await refusalOf(world, redeem(world, late)))[2], "code_expired");
    const list = await assertion(world, { clientId: "bank", claims: { aud: [world.issuer] } });
    assertEquals((await refusalOf(world, push(world, show(list))))[2], "assertion_audience");
    // The other client is as before.
    assertEquals((await world.redeem(await world.code())).status, 200);
  }, { profile: undefined, alg: "ES256", clients } as never);
});

test("fapi: certificates can replace DPoP (FAPI 2.0 §5.3.2.1-5)", async () => {
  for (const certificates of [{ mtls: {} }, { clientCertHeader: "Client-Cert" }]) {
    await inProfile(async (world) => {
      const metadata = await metadataOf(world);
      assertEquals(metadata.dpop_signing_alg_values_supported, undefined);
      assertEquals(metadata.tls_client_certificate_bound_access_tokens, true);
    }, { dpop: false, ...certificates });
  }
});

const signing: ServerOptions = { ...options, profile: "fapi2-message-signing" };

const signRequest = async (world: World, changed: Readonly<Record<string, unknown>> = {}) =>
  await assertion(world, {
    clientId: "bank",
    header: { typ: "oauth-authz-req+jwt" },
    claims: {
      ...requested,
      client_id: "bank",
      sub: undefined,
      nbf: world.clock.now,
      response_mode: "jwt",
      ...changed,
    },
  });

const pushSigned = async (world: World, changed: Readonly<Record<string, unknown>> = {}) =>
  world.post("/oauth2/par", {
    request: await signRequest(world, changed),
    ...show(await assertion(world, { clientId: "bank" })),
  });

test("fapi: message signing needs a signed request object with exp and nbf, and a JARM mode (FAPI 2.0 Message Signing §5.3, §5.4)", () =>
  inProfile(async (world) => {
    assertEquals((await refusalOf(world, push(world, { response_mode: "jwt" })))[1], "invalid_request");
    assertEquals(
      (await refusalOf(world, pushSigned(world, { response_mode: undefined })))[2],
      "response_mode_required",
    );
    assertEquals(
      (await refusalOf(world, pushSigned(world, { nbf: undefined })))[2],
      "request_object_unbounded",
    );
    const answer = await authorize(world, await pushSigned(world));
    const [[name, jwt = ""] = [], ...others] = [...callbackParams(answer)];
    assertEquals([name, others], ["response", []]);
    const [header, claims] = jwt.split(".").slice(0, 2).map((part) => JSON.parse(atob(part)));
    assertEquals([header.alg, claims.iss, claims.aud], ["ES256", world.issuer, "bank"]);
    assertEquals((await redeem(world, claims.code)).status, 200);
  }, signing));

test("fapi: the metadata says that requests must be signed, unless a client may send others (RFC 9101 §10.5)", async () => {
  const announces = async (changed: Partial<ClientMetadata>) => {
    let announced: unknown;
    await inProfile(async (world) => {
      announced = (await metadataOf(world)).require_signed_request_object;
    }, { ...signing, clients: [bank, { ...other, ...changed }] });
    return announced;
  };
  assertEquals(await announces({}), true);
  assertEquals(await announces({ require_signed_response: false }), true);
  assertEquals(await announces({ require_signed_request_object: false }), false);
});

test("fapi: a client switches off either half of message signing (FAPI 2.0 Message Signing §5.1)", () =>
  inProfile(async (world) => {
    assertEquals((await pushSigned(world, { response_mode: undefined })).status, 201);
    const form = { ...requested, response_mode: "jwt", client_id: undefined };
    const ofOther = show(
      await assertion(world, {
        clientId: "other",
        key: keys.edDsa.privateKey,
        header: { alg: "EdDSA", kid: "ed" },
      }),
    );
    assertEquals((await world.post("/oauth2/par", { ...form, ...ofOther })).status, 201);
  }, {
    ...signing,
    clients: [{ ...bank, require_signed_response: false }, {
      ...other,
      require_signed_request_object: false,
    }],
  }));

test("fapi: message signing needs the keys of a client that sends requests, and of no other (FAPI 2.0 Message Signing §5.3)", () => {
  const tls = {
    client_id: "tls",
    token_endpoint_auth_method: "tls_client_auth",
    tls_client_auth_san_dns: "app.example",
    tls_client_certificate_bound_access_tokens: true,
  };
  const ca = authority.cert;
  refuses(
    { ...signing, mtls: { ca }, clients: [{ ...tls, redirect_uris: [redirectUri] }] },
    /clients\[0\]\.jwks or jwks_uri must be given, .*\(FAPI 2\.0 Message Signing §5\.3\.1\)/,
  );
  return inProfile(async (world) => {
    assertEquals((await metadataOf(world)).issuer, world.issuer);
  }, {
    ...signing,
    mtls: { ca },
    clients: [
      { ...tls, grant_types: ["client_credentials"] },
      { ...tls, client_id: "program", grant_types: ["client_credentials"], redirect_uris: [] },
      { ...tls, client_id: "asks", redirect_uris: [redirectUri], require_signed_request_object: false },
    ],
  });
});

const secretClient = { client_id: "basic", client_secret: "a secret", redirect_uris: [redirectUri] };
const { client_secret: _secret, ...keylessClient } = secretClient;
const { jwks: _jwks, ...keylessBank } = bank;
const shortKey = { kty: "RSA", e: "AQAB", n: "w".repeat(171), kid: "short" };
const strictBank = { ...bank, profile: "fapi2-security" } as const;
const strict = { alg: "ES256", clients: [strictBank] } as const;

/** What the start refuses, and what the refusal says, at its end without any secret. */
const refusedAtStart: readonly (readonly [what: string, options: ServerOptions, message: RegExp])[] = [
  [
    "a client with a secret",
    { ...options, clients: [secretClient] },
    /clients\[0\]\.client_secret must be left out.* \(FAPI 2\.0 Security Profile §5\.3\.2\.1-6\)$/,
  ],
  [
    "a client with client_secret_jwt",
    { ...options, clients: [bank, { ...secretClient, token_endpoint_auth_method: "client_secret_jwt" }] },
    /clients\[1\]\.token_endpoint_auth_method must be private_key_jwt.* \(FAPI 2\.0 Security Profile §5\.3\.2\.1-6\)/,
  ],
  [
    "a client without keys",
    { ...options, clients: [bank, keylessClient] },
    /clients\[1\]\.jwks or jwks_uri must be given, for private_key_jwt, with the profile fapi2-security .*§5\.3\.2\.1-6/,
  ],
  [
    "an RSA key of less than 2048 bits",
    { ...options, clients: [{ ...bank, jwks: { keys: [shortKey] } }] },
    /clients\[0\]\.jwks\.keys\[0\] must be/,
  ],
  [
    "a jwks_uri with http",
    { ...options, clients: [{ ...keylessBank, jwks_uri: "http://app.example/jwks.json" }] },
    /clients\[0\]\.jwks_uri must be https, or on loopback .*§5\.4\.2/,
  ],
  [
    "a jwks_uri with http that names https behind its host",
    { ...options, clients: [{ ...keylessBank, jwks_uri: "http://app.example/https://jwks.json" }] },
    /clients\[0\]\.jwks_uri must be https, or on loopback .*§5\.4\.2/,
  ],
  [
    "RS256 for the access tokens of a strict client",
    { clients: [strictBank] },
    /alg must be ES256, PS256 or EdDSA .*§5\.4\.1/,
  ],
  [
    "a strict client without DPoP",
    { ...strict, dpop: false },
    /^\S+ \S+ \S+ dpop must not be false without .*§5\.3\.2\.1-5/,
  ],
  [
    "a strict client without its method",
    { ...strict, clientAuthMethods: ["client_secret_basic"] },
    /^\S+ \S+ \S+ clientAuthMethods must have private_key_jwt, .*§5\.3\.2\.1-6/,
  ],
  [
    "an unknown profile",
    { ...options, profile: "fapi1" as never },
    /profile must be one of fapi2-security, fapi2-message-signing/,
  ],
  [
    "the security profile of a client with message signing",
    { ...signing, clients: [strictBank] },
    /profile must be fapi2-message-signing with the profile fapi2-message-signing \(FAPI 2\.0 Message Signing §5\.1\), not "fapi2-security"/,
  ],
];

test("fapi: beside a strict client, others may authenticate by other methods (FAPI 2.0 §5.3.2.1-6)", () =>
  createServer({ ...strict, people, clientAuthMethods: ["client_secret_basic", "private_key_jwt"] }).close());

for (const [what, wrong, message] of refusedAtStart) {
  test(`fapi: the start refuses ${what} (FAPI 2.0)`, () => refuses(wrong, message));
}
