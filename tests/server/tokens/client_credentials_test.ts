/** Client credentials: tokens for a client itself, never for a person. */

import { assert, assertEquals } from "@std/assert";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { basic, createWorld, inWorld, type Params, type World } from "../../world.ts";
import {
  api,
  asApi,
  asBasic,
  bearerClients,
  claimsOf,
  headerOf,
  introspect,
  isActive,
  refusalOf,
  revoke,
} from "./bearer.ts";

const options = { clients: bearerClients };

function ask(world: World, changed: Params = {}, headers: HeadersInit = asBasic): Promise<Response> {
  return world.post("/oauth2/token", { grant_type: "client_credentials", ...changed }, headers);
}

const it = testInWorld(options);

it("client credentials: the answer is an access token for the client itself, and no other token (RFC 6749 §4.4.3)", async (world) => {
  const response = await ask(world, { scope: "read", resource: api });
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  const { access_token, ...members } = await response.json();
  assertEquals(members, { token_type: "Bearer", expires_in: 3600, scope: "read" });
  const { jti, ...claims } = claimsOf(access_token);
  assertEquals(headerOf(access_token)["typ"], "at+jwt");
  assertEquals(typeof jti, "string");
  assertEquals(claims, {
    iss: world.issuer,
    sub: "basic",
    aud: api,
    client_id: "basic",
    scope: "read",
    iat: world.clock.now,
    exp: world.clock.now + 3600,
  });
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`client credentials: ${accessTokens} tokens are introspected, revoked and expire like any other (RFC 7662 §2.2)`, () =>
    inWorld({ ...options, accessTokens }, async (world) => {
      const [one, other] = [
        (await (await ask(world, { resource: api })).json()).access_token,
        (await (await ask(world, { resource: api })).json()).access_token,
      ];
      const body = await (await introspect(world, one, asApi)).json();
      assertEquals([body.active, body.sub, body.client_id, "username" in body], [
        true,
        "basic",
        "basic",
        false,
      ]);
      assertEquals((await revoke(world, one, {}, asBasic)).status, 200);
      assertEquals(await isActive(world, one), false);
      assert(await isActive(world, other));
      world.clock.advance(3600);
      assertEquals(await isActive(world, other), false);
    }));
}

it("client credentials: a public client is refused, with any credentials (OAuth 2.1 §4.2)", async (world) => {
  const named = { client_id: "public" };
  const asked = world.post("/oauth2/token", { grant_type: "client_credentials", ...named });
  assertEquals((await refusalOf(world, asked)).slice(0, 2), [400, "unauthorized_client"]);
  const withSecret = ask(world, {}, basic("public", ""));
  assertEquals((await refusalOf(world, withSecret)).slice(0, 2), [401, "invalid_client"]);
});

test("client credentials: scope and resource are limited to the client's (OAuth 2.1 §4.2.1)", async () => {
  const clients = [{ client_id: "basic", client_secret: "basic-secret", scope: "read write" }];
  const scopes = { read: "Read", write: "Write", admin: "Administer" };
  await using world = createWorld({ clients, scopes, resources: [api] });
  const refused = [
    [{ scope: "read admin" }, "invalid_scope"],
    [{ resource: [api, "https://elsewhere.example/"] }, "invalid_target"],
  ] as const;
  for (const [changed, error] of refused) {
    assertEquals((await refusalOf(world, ask(world, changed))).slice(0, 2), [400, error]);
  }
  assertEquals((await (await ask(world, { scope: "write" })).json()).scope, "write");
  assertEquals((await (await ask(world)).json()).scope, "read write");
});

it("client credentials: scopes about a person are refused (OAuth 2.1 §4.2.1)", async (world) => {
  for (const scope of ["openid", "openid profile", "read offline_access"]) {
    assertEquals((await refusalOf(world, ask(world, { scope }))).slice(0, 2), [400, "invalid_scope"]);
  }
});

test("client credentials: without a scope parameter, scopes about a person are left out (OAuth 2.1 §4.2.1)", async () => {
  const clients = [{
    client_id: "basic",
    client_secret: "basic-secret",
    scope: "openid offline_access read",
  }];
  await using world = createWorld({ clients });
  // The client did not ask for these scopes: they are registered for its other grants.
  const response = await ask(world);
  assertEquals([response.status, (await response.json()).scope], [200, "read"]);
});

test("client credentials: if no scope is left, the request is refused (OAuth 2.1 §1.4.1)", async () => {
  const clients = [{ client_id: "basic", client_secret: "basic-secret", scope: "openid offline_access" }];
  await using world = createWorld({ clients });
  const refusal = await refusalOf(world, ask(world));
  assertEquals(refusal, [400, "invalid_scope", "scope_of_nobody"]);
});
