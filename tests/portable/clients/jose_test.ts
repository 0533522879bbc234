/** `jose` as an API and as the receiver of logout tokens: keys from the network, otherwise default settings. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import * as client from "openid-client";
import { type Flow, runFlow } from "../../flows/foreign_client.ts";
import { createServer } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { inWorld, redirectUri, type World } from "../../world.ts";
import { basicClient, secret, signIn, withWorld } from "./postern.ts";

const api = "https://api.example/";
const real = { now: () => Date.now() / 1000 };

async function keysOf(world: World): Promise<JWTVerifyGetKey> {
  const { jwks_uri } = await (await world.get("/.well-known/openid-configuration")).json();
  return createRemoteJWKSet(new URL(jwks_uri), {
    [customFetch]: (url, options) => world.fetch(new Request(url, options as RequestInit)),
    // Fetches new keys immediately, instead of half a minute later.
    cooldownDuration: 0,
  });
}

function accept(token: string, keys: JWTVerifyGetKey, issuer: string, audience = api) {
  return jwtVerify(token, keys, {
    issuer,
    audience,
    typ: "at+jwt",
    requiredClaims: ["sub", "client_id", "exp", "iat", "jti"],
  });
}

const forApi: Flow = { more: { resource: api }, scope: "openid read" };

test("clients: jose as an API accepts tokens for it, and no other token and no ID token (RFC 9068 §4)", () =>
  inWorld(real, async (world) => {
    const { tokens } = await runFlow(world, forApi);
    const keys = await keysOf(world);
    const { payload, protectedHeader } = await accept(tokens.access_token, keys, world.issuer);
    assertEquals([payload["client_id"], payload.sub, payload["scope"]], ["public", "alice", "openid read"]);
    assertEquals(protectedHeader.typ, "at+jwt");
    const other = "https://other.example/";
    await assertRejects(
      () => accept(tokens.access_token, keys, world.issuer, other),
      errors.JWTClaimValidationFailed,
      "aud",
    );
    await assertRejects(
      () => accept(tokens.id_token!, keys, world.issuer, "public"),
      errors.JWTClaimValidationFailed,
      "typ",
    );
  }));

test("clients: jose as an API accepts tokens of the old key and of the new key", async () => {
  const server = createServer({
    issuer: "https://as.test",
    alg: "ES256",
    login: "auto",
    clients: [{ client_id: "public", redirect_uris: [redirectUri] }],
  });
  await inWorld(real, async (world) => {
    const rotating: World = {
      ...world,
      fetch: server.fetch,
      get: (path) => server.fetch(new Request(new URL(path, server.issuer))),
    };
    const before = await runFlow(rotating, forApi);
    const keys = await keysOf(rotating);
    await accept(before.tokens.access_token, keys, server.issuer);
    await server.rotateKeys({ atOnce: true });
    const after = await runFlow(rotating, forApi);
    for (const { tokens } of [before, after]) await accept(tokens.access_token, keys, server.issuer);
    const [old, next] = [before, after].map(({ tokens }) => decodeProtectedHeader(tokens.access_token).kid);
    assert(old !== next);
  });
  await server.close();
});

test("clients: jose accepts the logout token of a sign-out (Back-Channel Logout §2.6)", async () => {
  const told: string[] = [];
  const receiver = "https://app.example/backchannel";
  const metadata = { ...basicClient, backchannel_logout_uri: receiver };
  await withWorld(metadata, async (world, visitor) => {
    const fetchHere = (url: string, options: client.CustomFetchOptions) =>
      world.fetch(new Request(url, options as RequestInit));
    const config = await client.discovery(
      new URL(world.issuer),
      "app",
      undefined,
      client.ClientSecretBasic(secret),
      { [client.customFetch]: fetchHere },
    );
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    const { leftFor } = await signIn(visitor, url);
    const tokens = await client.authorizationCodeGrant(config, leftFor!, { pkceCodeVerifier });
    await visitor.open(client.buildEndSessionUrl(config, { id_token_hint: tokens.id_token! }));

    assertEquals(told.length, 1);
    const { payload } = await jwtVerify(told[0]!, await keysOf(world), {
      issuer: world.issuer,
      audience: "app",
      typ: "logout+jwt",
      requiredClaims: ["jti", "iat", "exp", "sid", "sub"],
    });
    assertEquals([payload["sid"], payload.sub], [tokens.claims()!["sid"], tokens.claims()!.sub]);
    assertEquals(payload["events"], { "http://schemas.openid.net/event/backchannel-logout": {} });
    assertEquals(payload["nonce"], undefined);
  }, {
    fetch: async (input, init) => {
      const request = new Request(input, init);
      assertEquals([request.url, request.method], [receiver, "POST"]);
      told.push(new URLSearchParams(await request.text()).get("logout_token")!);
      return new Response();
    },
  });
});
