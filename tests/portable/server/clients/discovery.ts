/** Discovery by the foreign libraries: each finds the server of a test, as its documentation shows. */

import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { fetchFrom } from "../../../flows/foreign_client.ts";
import type { World } from "../../../world.ts";

/** Returns the metadata of the server, for oauth4webapi. */
export async function discoverServer(world: World): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(world.issuer);
  const response = await oauth.discoveryRequest(issuer, { [oauth.customFetch]: fetchFrom(world) });
  return await oauth.processDiscoveryResponse(issuer, response);
}

/** Returns the configuration of a client, for openid-client. Default: a public client. */
export async function discoverConfiguration(
  world: World,
  authentication?: client.ClientAuth,
  clientId = "app",
): Promise<client.Configuration> {
  return await client.discovery(new URL(world.issuer), clientId, undefined, authentication, {
    [client.customFetch]: (url, options) => world.fetch(new Request(url, options as RequestInit)),
  });
}
