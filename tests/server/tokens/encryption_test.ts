/** Encrypted ID tokens, logout tokens, userinfo and introspection: to a key of the client, after signing. */

import { assert, assertEquals } from "@std/assert";
import { createLocalJWKSet, type JWTPayload, jwtVerify } from "jose";
import type { ClientMetadata } from "../../../src/mod.ts";
import { assertCannotCreate, assertRefusedOnPage } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { basic, createBrowser, createWorld, inWorld, type World } from "../../world.ts";
import { assertRefused, introspect, tokensOf, userinfo } from "./bearer.ts";
import { decrypt, encryptingClient, encryptionJwks, encryptionKeys, publicHalf } from "./encryption.ts";

/** Verifies a JWT that the server signed. */
async function verify(world: World, jwt: string): Promise<JWTPayload> {
  const keys = createLocalJWKSet(await (await world.get("/oauth2/jwks")).json());
  return (await jwtVerify(jwt, keys, {
    issuer: world.issuer,
    currentDate: new Date(world.clock.now * 1000),
  })).payload;
}

const pairs = [
  ["RSA-OAEP-256", undefined],
  ["RSA-OAEP-256", "A128GCM"],
  ["ECDH-ES", "A128CBC-HS256"],
  ["ECDH-ES", "A256GCM"],
] as const;

for (const [alg, enc] of pairs) {
  test(`encryption: an ID token is signed, then encrypted with ${alg} and ${enc ?? "the default enc"} (OpenID Connect Core §10.2; Registration §2)`, () => {
    const client = encryptingClient({
      id_token_encrypted_response_alg: alg,
      ...(enc === undefined ? {} : { id_token_encrypted_response_enc: enc }),
    });
    return inWorld({ clients: [client] }, async (world) => {
      const { id_token, access_token } = await tokensOf(world, { scope: "openid" });
      const { protectedHeader, text } = await decrypt(id_token);
      const { epk: _epk, ...header } = protectedHeader;
      const { kid } = encryptionKeys[alg];
      assertEquals(header, { alg, enc: enc ?? "A128CBC-HS256", kid: kid!, cty: "JWT" });
      const claims = await verify(world, text);
      assertEquals([claims.aud, claims.iss], ["public", world.issuer]);
      // Nothing else is encrypted.
      assertEquals((await (await userinfo(world, access_token)).json()).sub, claims.sub);
    });
  });
}

test("encryption: userinfo is signed, then encrypted (OpenID Connect Core §5.3.2)", () => {
  const client = encryptingClient({
    userinfo_signed_response_alg: "ES256",
    userinfo_encrypted_response_alg: "ECDH-ES",
    userinfo_encrypted_response_enc: "A256GCM",
  });
  return inWorld({ clients: [client] }, async (world) => {
    const response = await userinfo(world, (await tokensOf(world, { scope: "openid" })).access_token);
    assertEquals(response.headers.get("content-type"), "application/jwt");
    const { protectedHeader: { cty, enc }, text } = await decrypt(await response.text());
    assertEquals([cty, enc], ["JWT", "A256GCM"]);
    assertEquals((await verify(world, text)).aud, "public");
  });
});

test("encryption: userinfo without a signature is encrypted claims (OpenID Connect Core §5.3.2)", () =>
  inWorld(
    { clients: [encryptingClient({ userinfo_encrypted_response_alg: "RSA-OAEP-256" })] },
    async (world) => {
      const response = await userinfo(world, (await tokensOf(world, { scope: "openid" })).access_token);
      assertEquals(response.headers.get("content-type"), "application/jwt");
      const { protectedHeader, text } = await decrypt(await response.text());
      assertEquals(protectedHeader.cty, undefined);
      const { sub, iss, aud } = JSON.parse(text);
      assertEquals([typeof sub, iss, aud], ["string", world.issuer, "public"]);
    },
  ));

test("encryption: introspection as a JWT is encrypted, and as JSON is not (RFC 9701 §5)", () => {
  const client = encryptingClient({
    client_secret: "a secret",
    introspection_encrypted_response_alg: "ECDH-ES",
  });
  return inWorld({ clients: [client] }, async (world) => {
    const as = basic("public", "a secret");
    const code = await world.code();
    const { access_token } = await (await world.redeem(code, { client_id: undefined }, as)).json();
    const accept = "application/token-introspection+jwt";
    const response = await introspect(world, access_token, { ...as, accept });
    assertEquals(response.headers.get("content-type"), accept);
    const { text } = await decrypt(await response.text());
    const { token_introspection: introspected } = await verify(world, text);
    assertEquals(introspected, await (await introspect(world, access_token, as)).json());
  });
});

test("encryption: logout tokens are encrypted as ID tokens are (OpenID Connect Back-Channel Logout §2.6)", async () => {
  const sent: string[] = [];
  const keySet = { answer: () => Response.json(encryptionJwks) };
  const fetch = (url: URL | Request | string, init: RequestInit = {}) => {
    if (String(url).endsWith("/jwks.json")) return Promise.resolve(keySet.answer());
    sent.push(`${new URLSearchParams(String(init.body)).get("logout_token")}`);
    return Promise.resolve(new Response());
  };
  const { jwks: _jwks, ...client } = encryptingClient({
    jwks_uri: "https://app.example/jwks.json",
    id_token_encrypted_response_alg: "ECDH-ES",
    backchannel_logout_uri: "https://app.example/logout",
  });
  await using world = createWorld({ clients: [client], fetch });
  const signOut = async () => {
    const browser = createBrowser(world);
    const { leftFor } = await browser.open(world.authorizeUrl({ scope: "openid" }));
    const code = new URL(leftFor!).searchParams.get("code")!;
    const { id_token } = await (await world.redeem(code)).json();
    const { text } = await decrypt(id_token);
    return async () => await browser.open(`/connect/logout?id_token_hint=${text}`);
  };
  await (await signOut())();
  assertEquals((await verify(world, (await decrypt(sent[0]!)).text)).aud, "public");
  // Without a key, the sign-out goes on.
  const later = await signOut();
  keySet.answer = () => Response.json({ keys: [] });
  world.clock.advance(3600);
  assertEquals((await later()).status, 200);
  assertEquals(sent.length, 1);
  const told = world.journal.at(-1)?.facts.more?.["back_channel_logout"];
  assertEquals(told, { public: "has no key that encrypts the logout token" });
});

const rsaOnly = { keys: [publicHalf(encryptionKeys["RSA-OAEP-256"])] };
const forEncryption = publicHalf(encryptionKeys["ECDH-ES"]);
const { use: _use, ...forAnything } = forEncryption;
const forSigning = { ...forAnything, use: "sig" };

const impossible: readonly (readonly [ClientMetadata, string])[] = [
  [
    encryptingClient({ id_token_encrypted_response_alg: "ECDH-ES", jwks: rsaOnly }),
    "clients[0].id_token_encrypted_response_alg must be left out, or the client needs an EC key on P-256 " +
    "with use enc for ECDH-ES in its jwks, or a jwks_uri",
  ],
  ...[forAnything, forSigning].map((jwk) =>
    [
      encryptingClient({ userinfo_encrypted_response_alg: "ECDH-ES", jwks: { keys: [jwk] } }),
      "clients[0].userinfo_encrypted_response_alg must be left out, or the client needs an EC key",
    ] as const
  ),
  [
    encryptingClient({ introspection_encrypted_response_enc: "A128GCM" }),
    "clients[0].introspection_encrypted_response_enc must be left out, or introspection_encrypted_response_alg " +
    "must be given",
  ],
  [
    encryptingClient({
      userinfo_encrypted_response_alg: "RSA-OAEP-256",
      jwks: { keys: [{ ...rsaOnly.keys[0], alg: "RSA-OAEP" }] },
    }),
    "clients[0].userinfo_encrypted_response_alg must be left out, or the client needs an RSA key",
  ],
  [
    encryptingClient({ jwks: { keys: [encryptionKeys["ECDH-ES"] as JsonWebKey] } }),
    "clients[0].jwks.keys[0] must be a public RSA key",
  ],
  [
    // A point that is not on the curve.
    encryptingClient({ jwks: { keys: [{ ...forEncryption, x: forEncryption.y! }] } }),
    "clients[0].jwks.keys[0] must be a public RSA key of 2048 bits or more, or one on P-256",
  ],
  [
    // 1024 bits.
    encryptingClient({ jwks: { keys: [{ ...rsaOnly.keys[0], n: "z".repeat(171) }] } }),
    "clients[0].jwks.keys[0] must be a public RSA key of 2048 bits or more",
  ],
];

for (const [client, message] of impossible) {
  test(`encryption: ${message} (OpenID Connect Core §10.2)`, () =>
    assertCannotCreate(() => createWorld({ clients: [client] }), message));
}

test("encryption: without a key at the jwks_uri the code stays, and works once the key is published (OpenID Connect Core §10.2.1)", async () => {
  const { jwks: _jwks, ...client } = encryptingClient({
    jwks_uri: "https://app.example/jwks.json",
    id_token_encrypted_response_alg: "RSA-OAEP-256",
  });
  let keys: readonly JsonWebKey[] = [forSigning];
  const fetch = () => Promise.resolve(Response.json({ keys }));
  await using world = createWorld({ clients: [client], fetch });
  const code = await world.code({ scope: "openid" });
  await assertRefused(world, world.redeem(code), "400 invalid_client_metadata encryption_key_missing");
  keys = rsaOnly.keys;
  const { id_token } = await (await world.redeem(code)).json();
  assertEquals((await decrypt(id_token)).protectedHeader.cty, "JWT");
});

test("encryption: a jwks_uri without an answer is no failure of the client's authentication or token (RFC 6749 §5.2; RFC 6750 §3.1)", async () => {
  const fetch = () => Promise.resolve(new Response(null, { status: 503 }));
  const { jwks: _jwks, ...client } = encryptingClient({
    jwks_uri: "https://app.example/jwks.json",
    userinfo_encrypted_response_alg: "ECDH-ES",
  });
  await using world = createWorld({ clients: [client], fetch });
  const { access_token } = await tokensOf(world, { scope: "openid" });
  const refused = userinfo(world, access_token);
  await assertRefused(world, refused, "400 invalid_client_metadata encryption_key_missing");
});

test("encryption: an encrypted ID token is no hint, and the signed one inside of it is (OpenID Connect Core §3.1.2.1)", () =>
  inWorld({ clients: [encryptingClient({ id_token_encrypted_response_alg: "ECDH-ES" })] }, async (world) => {
    const { id_token } = await tokensOf(world, { scope: "openid" });
    const refused = await world.authorize({ id_token_hint: id_token });
    assertEquals(new URL(refused.headers.get("location")!).searchParams.get("error"), "invalid_request");
    assertEquals(world.lastRefusal()?.reason, "hint_encrypted");
    await assertRefusedOnPage(world, await world.get(`/connect/logout?id_token_hint=${id_token}`), {
      error: "invalid_request",
      reason: "hint_encrypted",
    });
    const { text } = await decrypt(id_token);
    assert(await world.code({ scope: "openid", id_token_hint: text }));
  }));
