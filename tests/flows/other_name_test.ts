/** A foreign client takes the metadata from another name of the server, while the person's browser uses the issuer. */

import { assertEquals } from "@std/assert";
import * as oauth from "oauth4webapi";
import { basicClient, secret, signInFor, withWorld } from "../portable/server/clients/postern.ts";
import { test } from "../runner.ts";
import { redirectUri, type World } from "../world.ts";
import { addressOf, fetchFrom } from "./foreign_client.ts";

const also = "http://postern:9000";
const two = { also: [also], allowPrivateHttp: true };

/** Reaches the server only by its other name, as a container does. */
function fetchInContainer(world: World): ReturnType<typeof fetchFrom> {
  return (url, options) => {
    if (new URL(url).origin !== also) throw new TypeError(`nothing listens at ${url}`);
    return fetchFrom(world)(url, options);
  };
}

test("other name: oauth4webapi logs in with DPoP, because it takes the issuer apart", () =>
  withWorld(basicClient, async (world, visitor) => {
    const app: oauth.Client = { client_id: "app" };
    const custom = {
      [oauth.customFetch]: fetchInContainer(world),
      [oauth.allowInsecureRequests]: true,
      DPoP: oauth.DPoP(app, await oauth.generateKeyPair("ES256")),
    };
    const discovered = await oauth.discoveryRequest(new URL(also), custom);
    const server = await oauth.processDiscoveryResponse(new URL(world.issuer), discovered);
    const verifier = oauth.generateRandomCodeVerifier();
    const request = { client_id: "app", redirect_uri: redirectUri, scope: "openid email" };
    const url = await addressOf(server, verifier, request);
    const called = oauth.validateAuthResponse(server, app, await signInFor(visitor, url));
    const authenticate = oauth.ClientSecretBasic(secret);
    const tokens = await oauth.processAuthorizationCodeResponse(
      server,
      app,
      await oauth.authorizationCodeGrantRequest(
        ...[server, app, authenticate, called, redirectUri, verifier] as const,
        custom,
      ),
      { requireIdToken: true },
    );
    const { iss, sub } = oauth.getValidatedIdTokenClaims(tokens)!;
    assertEquals([iss, tokens.token_type], [world.issuer, "dpop"]);
    const answered = await oauth.userInfoRequest(server, app, tokens.access_token, custom);
    assertEquals((await oauth.processUserInfoResponse(server, app, sub, answered)).sub, sub);
  }, two));
