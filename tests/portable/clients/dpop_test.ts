/** Foreign clients use DPoP with each kind of nonces: oauth4webapi and openid-client 6 (RFC 9449). */

import { assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import * as client from "openid-client";
import { addressOf, fetchFrom } from "../../flows/foreign_client.ts";
import { test } from "../../runner.ts";
import { redirectUri } from "../../world.ts";
import { discoverConfiguration, discoverServer } from "./discovery.ts";
import { basicClient, publicClient, requireCarol, secret, signInFor, withWorld } from "./postern.ts";

/** Repeats a request once with the nonce that the server demands. The library keeps the nonce. */
async function withNonce<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    if (!oauth.isDPoPNonceError(error)) throw error;
    return await work();
  }
}

const kinds = [
  {
    name: "a public client",
    metadata: { ...publicClient, dpop_bound_access_tokens: true },
    authenticate: oauth.None(),
    nonces: "rotating",
  },
  {
    name: "a client with a secret",
    metadata: basicClient,
    authenticate: oauth.ClientSecretBasic(secret),
    nonces: "off",
  },
] as const;

for (const { name, metadata, authenticate, nonces } of kinds) {
  test(`clients: oauth4webapi, ${name}: DPoP with nonces ${nonces} (RFC 9449 §5, §7, §8)`, () =>
    withWorld(metadata, async (world, visitor) => {
      const app: oauth.Client = { client_id: "app" };
      const custom = { [oauth.customFetch]: fetchFrom(world) };
      const server = await discoverServer(world);
      const DPoP = oauth.DPoP(app, await oauth.generateKeyPair("ES256"));
      const options = { ...custom, DPoP };
      const verifier = oauth.generateRandomCodeVerifier();
      const url = await addressOf(server, verifier, {
        client_id: "app",
        redirect_uri: redirectUri,
        scope: "openid email",
        dpop_jkt: await DPoP.calculateThumbprint(),
      });
      const called = oauth.validateAuthResponse(server, app, await signInFor(visitor, url));
      const tokens = await withNonce(async () =>
        await oauth.processAuthorizationCodeResponse(
          server,
          app,
          await oauth.authorizationCodeGrantRequest(
            server,
            app,
            authenticate,
            called,
            redirectUri,
            verifier,
            options,
          ),
        )
      );
      assertEquals(tokens.token_type, "dpop");
      const { sub } = oauth.getValidatedIdTokenClaims(tokens)!;
      const ask = (token: string) =>
        withNonce(async () =>
          await oauth.processUserInfoResponse(
            server,
            app,
            sub,
            await oauth.userInfoRequest(server, app, token, options),
          )
        );
      assertEquals((await ask(tokens.access_token)).email, "carol@shop.example");
      const next = await withNonce(async () =>
        await oauth.processRefreshTokenResponse(
          server,
          app,
          await oauth.refreshTokenGrantRequest(server, app, authenticate, tokens.refresh_token!, options),
        )
      );
      assertEquals((await ask(next.access_token)).email, "carol@shop.example");
      // Without its key, the token opens nothing.
      const stolen = await oauth.userInfoRequest(server, app, next.access_token, custom);
      await assertRejects(() => oauth.processUserInfoResponse(server, app, sub, stolen));
    }, { dpop: { nonces } }));
}

const nonces = "required";

test(`clients: openid-client 6: DPoP with nonces ${nonces} (RFC 9449 §5, §7, §8)`, () =>
  withWorld(basicClient, async (world, visitor) => {
    const config = await discoverConfiguration(world, client.ClientSecretBasic(secret));
    const keys = await client.randomDPoPKeyPair("ES256");
    const DPoP = client.getDPoPHandle(config, keys);
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const url = client.buildAuthorizationUrl(config, {
      redirect_uri: redirectUri,
      scope: "openid profile email",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      dpop_jkt: await DPoP.calculateThumbprint(),
    });
    const called = await signInFor(visitor, url);
    const tokens = await client.authorizationCodeGrant(config, called, { pkceCodeVerifier }, undefined, {
      DPoP,
    });
    assertEquals(tokens.token_type, "dpop");
    const { sub } = tokens.claims()!;
    requireCarol(await client.fetchUserInfo(config, tokens.access_token, sub, { DPoP }));
    const next = await client.refreshTokenGrant(config, tokens.refresh_token!, undefined, { DPoP });
    requireCarol(await client.fetchUserInfo(config, next.access_token, sub, { DPoP }));
    // RFC 9449 §5: a confidential client may change its key.
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair("Ed25519"));
    const last = await client.refreshTokenGrant(config, next.refresh_token!, undefined, { DPoP: other });
    requireCarol(await client.fetchUserInfo(config, last.access_token, sub, { DPoP: other }));
  }, { dpop: { nonces } }));

test(`clients: openid-client 6: a pushed request with a DPoP proof, with nonces ${nonces} (RFC 9449 §10.1)`, () =>
  withWorld(basicClient, async (world, visitor) => {
    const config = await discoverConfiguration(world, client.ClientSecretBasic(secret));
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
    const pkceCodeVerifier = client.randomPKCECodeVerifier();
    const params = {
      redirect_uri: redirectUri,
      scope: "openid",
      code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
    };
    const url = await client.buildAuthorizationUrlWithPAR(config, params, { DPoP });
    const called = await signInFor(visitor, url);
    const checks = { pkceCodeVerifier };
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
    const refused = await assertRejects(
      () => client.authorizationCodeGrant(config, called, checks, undefined, { DPoP: other }),
      client.ResponseBodyError,
    );
    assertEquals([refused.error, world.lastRefusal()?.reason], ["invalid_grant", "key_differs"]);
    const tokens = await client.authorizationCodeGrant(config, called, checks, undefined, { DPoP });
    assertEquals(tokens.token_type, "dpop");
  }, { dpop: { nonces } }));
