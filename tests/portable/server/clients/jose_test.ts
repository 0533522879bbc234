/** `jose` as an API: keys from the network, otherwise default settings. */

import { assert, assertEquals, assertRejects } from "@std/assert";
import {
  createRemoteJWKSet,
  customFetch,
  decodeProtectedHeader,
  errors,
  jwtVerify,
  type JWTVerifyGetKey,
} from "jose";
import { type Flow, runFlow } from "../../../flows/foreign_client.ts";
import { createServer } from "../../../../src/mod.ts";
import { test } from "../../../runner.ts";
import { inWorld, redirectUri, type World } from "../../../world.ts";

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
