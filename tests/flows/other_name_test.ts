/** Foreign clients take the metadata from another name of the server, while the person's browser uses the issuer. */

import { assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { basicClient, requireCarol, secret, signInFor, withWorld } from "../portable/clients/postern.ts";
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

for (const dpop of [false, true]) {
  test(`other name: oauth4webapi logs in${dpop ? " with DPoP" : ""}, because it takes the issuer apart`, () =>
    withWorld(basicClient, async (world, visitor) => {
      const app: oauth.Client = { client_id: "app" };
      const custom = {
        [oauth.customFetch]: fetchInContainer(world),
        [oauth.allowInsecureRequests]: true,
        ...(dpop ? { DPoP: oauth.DPoP(app, await oauth.generateKeyPair("ES256")) } : {}),
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
      assertEquals([iss, tokens.token_type], [world.issuer, dpop ? "dpop" : "bearer"]);
      const answered = await oauth.userInfoRequest(server, app, tokens.access_token, custom);
      assertEquals((await oauth.processUserInfoResponse(server, app, sub, answered)).sub, sub);
    }, two));
}

test("other name: openid-client 6 refuses it for discovery, and takes the metadata that a program has read", () =>
  withWorld(basicClient, async (world, visitor) => {
    const options = { [client.customFetch]: fetchInContainer(world) as client.CustomFetch };
    const error = await assertRejects(
      () =>
        client.discovery(new URL(also), "app", secret, undefined, {
          ...options,
          execute: [client.allowInsecureRequests],
        }),
      client.ClientError,
    );
    assertEquals(error.code, "OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED");

    const url = `${also}/.well-known/openid-configuration`;
    const metadata = await (await options[client.customFetch](url, { method: "GET" } as never)).json();
    const config = new client.Configuration(metadata, "app", undefined, client.ClientSecretBasic(secret));
    client.allowInsecureRequests(config);
    config[client.customFetch] = options[client.customFetch];
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const start = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid profile email",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    });
    assertEquals(start.origin, world.issuer);
    const called = await signInFor(visitor, start);
    const tokens = await client.authorizationCodeGrant(config, called, { pkceCodeVerifier });
    const { iss, sub } = tokens.claims()!;
    assertEquals(iss, world.issuer);
    requireCarol(await client.fetchUserInfo(config, tokens.access_token, sub));
    await client.tokenRevocation(config, tokens.access_token);
    assertEquals(client.buildEndSessionUrl(config).origin, world.issuer);
  }, two));
