/** Introspection as a JWT (RFC 9701), and open introspection. */

import { assert, assertEquals } from "@std/assert";
import { createLocalJWKSet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { createServer } from "../../../src/mod.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { keysFor } from "../../keys.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, type World, type WorldOptions } from "../../world.ts";
import { api, asApi, bearerClients, headerOf, introspect, tokensOf } from "./bearer.ts";

const issuer = "https://as.test";
const jwtType = "application/token-introspection+jwt";
const options: WorldOptions = { clients: bearerClients };

async function introspectJwt(world: World, token: string, accept = jwtType): Promise<Response> {
  return await introspect(world, token, { ...asApi, accept });
}

const it = testInWorld(options);

it("introspection jwt: a signed answer names the server, the API and the time, and holds the token (RFC 9701 §5, §7)", async (world) => {
  const { access_token: token } = await tokensOf(world, { scope: "read", resource: api });
  const response = await introspectJwt(world, token);
  assertEquals([response.status, response.headers.get("content-type")], [200, jwtType]);
  const text = await response.text();
  const { typ, alg } = headerOf(text);
  assertEquals([typ, alg], ["token-introspection+jwt", "ES256"]);
  const keys = createLocalJWKSet(await (await world.get("/oauth2/jwks")).json());
  const { payload } = await jwtVerify(text, keys, {
    ...{ issuer, audience: "api", typ: "token-introspection+jwt" },
    currentDate: new Date(world.clock.now * 1000),
  });
  assertEquals(Object.keys(payload).sort(), ["aud", "iat", "iss", "token_introspection"]);
  assertEquals(payload.iat, world.clock.now);
  assertEquals(payload["token_introspection"], await (await introspect(world, token, asApi)).json());
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  assertEquals(metadata.introspection_signing_alg_values_supported, ["ES256"]);
});

test("introspection jwt: the client gets the algorithm that it has registered (RFC 9701 §6)", async () => {
  const clients = bearerClients.map((client) =>
    client.client_id === "api" ? { ...client, introspection_signed_response_alg: "RS256" as const } : client
  );
  const signingKeys = keysFor(["ES256", "RS256"]);
  await inWorld({ clients, signingKeys }, async (world) => {
    const { access_token: token } = await tokensOf(world, { scope: "read", resource: api });
    const { alg } = headerOf(await (await introspectJwt(world, token)).text());
    assertEquals([headerOf(token).alg, alg], ["ES256", "RS256"]);
  });
});

it("introspection jwt: an inactive token is inactive without a reason (RFC 9701 §5)", async (world) => {
  const { access_token: other } = await tokensOf(world, {
    scope: "read",
    resource: "https://other.example/",
  });
  for (const token of ["x", other]) {
    const [, claims = ""] = (await (await introspectJwt(world, token)).text()).split(".");
    const { token_introspection: introspected } = JSON.parse(atob(claims));
    assertEquals(introspected, { active: false });
  }
});

it("introspection jwt: only the Accept header asks for it (RFC 9701 §4)", async (world) => {
  const { access_token: token } = await tokensOf(world, { scope: "read", resource: api });
  const rows: readonly (readonly [accept: string, type: string])[] = [
    [jwtType, jwtType],
    ["Application/Token-Introspection+JWT; q=0.5, application/json", jwtType],
    [`application/json, ${jwtType};q=0`, "application/json"],
    [`application/json, ${jwtType};q=0.00`, "application/json"],
    [`application/json, ${jwtType};q=0.01`, jwtType],
    [`application/json, ${jwtType};seq=0`, jwtType],
    ["*/*", "application/json"],
  ];
  for (const [accept, type] of rows) {
    const response = await introspectJwt(world, token, accept);
    assertEquals([accept, response.headers.get("content-type")], [accept, type]);
  }
  const refused = await introspect(world, token, { accept: jwtType });
  assertEquals([refused.status, refused.headers.get("content-type")], [401, "application/json"]);
});

test("introspection jwt: oauth4webapi asks for it and accepts it", () =>
  inWorld({ ...options, now: () => Date.now() / 1000 }, async (world) => {
    const url = new URL(issuer);
    const fetching = {
      [oauth.customFetch]: (input: string, init: object) => world.fetch(new Request(input, init)),
    };
    const discovery = await oauth.discoveryRequest(url, { ...fetching, algorithm: "oauth2" });
    const server = await oauth.processDiscoveryResponse(url, discovery);
    const client = { client_id: "api", introspection_signed_response_alg: "ES256" };
    const { access_token: token } = await tokensOf(world, { scope: "read", resource: api });
    const response = await oauth.introspectionRequest(
      server,
      client,
      oauth.ClientSecretBasic("api-secret"),
      token,
      { ...fetching, requestJwtResponse: true },
    );
    const introspected = await oauth.processIntrospectionResponse(server, client, response);
    assertEquals([introspected.active, introspected.client_id], [true, "public"]);
  }));

test("open introspection: programs introspect without credentials, with the explicit option only", async () => {
  await inWorld(options, async (world) => {
    const { access_token: token } = await tokensOf(world, { scope: "read", resource: api });
    assertEquals((await introspect(world, token, {})).status, 401);
    assertEquals(world.lastRefusal()?.reason, "introspects_unnamed");
  });
  await using world = createWorld({ ...options, openIntrospection: true });
  const { access_token: token, refresh_token } = await tokensOf(world, { scope: "read", resource: api });
  const introspected = await (await introspect(world, token, {})).json();
  assertEquals([introspected.active, introspected.aud, introspected.client_id], [true, api, "public"]);
  assertEquals((await (await introspect(world, refresh_token, {})).json()).active, true);
  assertEquals(await (await introspect(world, "x", {})).json(), { active: false });
  await world.post("/oauth2/revoke", { token, client_id: "public" });
  assertEquals(await (await introspect(world, token, {})).json(), { active: false });
  assertEquals(world.journal.at(-1)?.facts.advice?.reason, "inactive_revoked");
  // A JWT needs an audience (RFC 9701 §5), so a caller without a name gets JSON.
  const plain = await introspect(world, "x", { accept: jwtType });
  assertEquals(plain.headers.get("content-type"), "application/json");
  const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
  assert(metadata.introspection_endpoint_auth_methods_supported.includes("none"));
  // Wrong credentials are still wrong.
  const wrong = await introspect(world, token, { authorization: `Basic ${btoa("api:wrong")}` });
  assertEquals(wrong.status, 401);
});

test("open introspection: a page of another site gets 401", () =>
  inWorld({ ...options, openIntrospection: true }, async (world) => {
    const { access_token: token } = await tokensOf(world, { scope: "read", resource: api });
    const rows: readonly (readonly [origin: string, status: number])[] = [
      ["https://evil.example.com", 401],
      ["null", 401],
      ["http://localhost:3000", 200],
      [issuer, 200],
    ];
    for (const [origin, status] of rows) {
      assertEquals([origin, (await introspect(world, token, { origin })).status], [origin, status]);
    }
  }));

test("open introspection: a server that other machines reach cannot have it", async () => {
  await assertCannotCreate(
    () =>
      createServer({ issuer: "https://id.example.com", clients: [], people: [], openIntrospection: true }),
    "openIntrospection is for a server that other machines cannot reach",
  );
});
