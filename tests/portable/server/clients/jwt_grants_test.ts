/** `openid-client` 6 and `oauth4webapi` send JWT authorization grants and ID-JAGs with default settings. */

import { assertEquals } from "@std/assert";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { fetchFrom } from "../../../flows/foreign_client.ts";
import { test } from "../../../runner.ts";
import { forIdJags, forWorkloads, idJag, jwtBearer, workloadJwt } from "../../../server/tokens/jwt_grants.ts";
import { discoverConfiguration, discoverServer } from "./discovery.ts";
import { type ClientMetadata, secret, withWorld } from "./postern.ts";

const app: ClientMetadata = { client_id: "app", client_secret: secret, grant_types: [jwtBearer] };
// The person of these tests is carol, whose sub is user-7.
const claims = { client_id: "app", sub: "user-7", resource: "https://mcp.example/mcp", scope: "read" };

/** The server measures the time of these tests by the real clock, and JWTs by that of the world. */
function liveTimes(): { readonly iat: number; readonly exp: number } {
  const iat = Math.floor(Date.now() / 1000);
  return { iat, exp: iat + 300 };
}

test("clients: openid-client 6 gets a token for an ID-JAG (ID-JAG §4.4)", () =>
  withWorld(app, async (world) => {
    const config = await discoverConfiguration(world, client.ClientSecretBasic(secret));
    const profiles = config.serverMetadata()["authorization_grant_profiles_supported"];
    assertEquals(profiles, ["urn:ietf:params:oauth:grant-profile:id-jag"]);
    const assertion = await idJag(world, { claims: { ...claims, ...liveTimes() } });
    const tokens = await client.genericGrantRequest(config, jwtBearer, { assertion });
    assertEquals([tokens.token_type, tokens.scope, tokens.refresh_token], ["bearer", "read", undefined]);
  }, { trust: [forIdJags] }));

test("clients: oauth4webapi, a public client gets a token for its workload (RFC 7523 §2.1)", () => {
  const { client_secret: _secret, ...publicApp } = app;
  return withWorld(publicApp, async (world) => {
    const server = await discoverServer(world);
    const options = { [oauth.customFetch]: fetchFrom(world) };
    const params = { assertion: await workloadJwt(world, { claims: liveTimes() }), scope: "deploy" };
    const own = { client_id: "app" };
    const send = () =>
      oauth.genericTokenEndpointRequest(server, own, oauth.None(), jwtBearer, params, options);
    const tokens = await oauth.processGenericTokenEndpointResponse(server, own, await send());
    assertEquals([tokens.token_type, tokens.scope], ["bearer", "deploy"]);
  }, { trust: [{ ...forWorkloads, publicClients: true }] });
});
