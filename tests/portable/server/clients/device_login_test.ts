/** Device logins by foreign clients, by their documentation alone: openid-client 6 and oauth4webapi (RFC 8628). */

import { assert, assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { answer, deviceGrantType } from "../../../server/features/device_login.ts";
import { fetchFrom } from "../../../flows/foreign_client.ts";
import { test } from "../../../runner.ts";
import type { World } from "../../../world.ts";
import { discoverConfiguration, discoverServer } from "./discovery.ts";
import { basicClient, type ClientMetadata, secret, withWorld } from "./postern.ts";

const tv: ClientMetadata = { client_id: "app", grant_types: [deviceGrantType, "refresh_token"] };
const confidential: ClientMetadata = { ...basicClient, grant_types: [deviceGrantType, "refresh_token"] };
const scope = "openid email";
// Alice and bob sign in with one click.
const people = { people: [{ username: "alice" }, { username: "bob" }] };

test("clients: openid-client 6: a device login with its polls (RFC 8628 §3)", () =>
  withWorld(confidential, async (world) => {
    const config = await discoverConfiguration(world, client.ClientSecretBasic(secret));
    const begun = await client.initiateDeviceAuthorization(config, { scope });
    // The library waits before its first poll.
    await answer(world, { ...begun, verification_uri_complete: "", interval: 5 });
    const tokens = await client.pollDeviceAuthorizationGrant(config, { ...begun, interval: 0 });
    assertEquals(tokens.claims()?.sub, "alice");
    const next = await client.refreshTokenGrant(config, tokens.refresh_token!);
    await client.fetchUserInfo(config, next.access_token, "alice");
  }, people));

async function pollAt(world: World, server: oauth.AuthorizationServer, deviceCode: string) {
  const options = { [oauth.customFetch]: fetchFrom(world) };
  const app = { client_id: "app" };
  const response = await oauth.deviceCodeGrantRequest(server, app, oauth.None(), deviceCode, options);
  return await oauth.processDeviceCodeResponse(server, app, response);
}

async function beginAt(world: World) {
  const options = { [oauth.customFetch]: fetchFrom(world) };
  const app = { client_id: "app" };
  const server = await discoverServer(world);
  const response = await oauth.deviceAuthorizationRequest(server, app, oauth.None(), { scope }, options);
  return { server, begun: await oauth.processDeviceAuthorizationResponse(server, app, response) };
}

test("clients: oauth4webapi: authorization_pending, slow_down, then tokens (RFC 8628 §3.5)", () =>
  withWorld(tv, async (world) => {
    const { server, begun } = await beginAt(world);
    assert(begun.verification_uri_complete?.includes(begun.user_code));
    for (const expected of ["authorization_pending", "slow_down"]) {
      const error = await assertRejects(
        () => pollAt(world, server, begun.device_code),
        oauth.ResponseBodyError,
      );
      assertEquals(error.error, expected);
    }
    await answer(world, { ...begun, verification_uri_complete: "", interval: 5 });
    const tokens = await pollAt(world, server, begun.device_code);
    assertEquals(oauth.getValidatedIdTokenClaims(tokens)?.sub, "alice");
  }, people));
