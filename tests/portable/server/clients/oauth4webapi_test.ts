/** `oauth4webapi` with its default settings: OpenID Connect, refresh, userinfo, sign-out, revocation. */

import { assertEquals, assertRejects } from "@std/assert";
import * as oauth from "oauth4webapi";
import { addressOf, fetchFrom } from "../../../flows/foreign_client.ts";
import { test } from "../../../runner.ts";
import { redirectUri, type World } from "../../../world.ts";
import { discoverServer } from "./discovery.ts";
import {
  basicClient,
  publicClient,
  requireCarol,
  secret,
  signedOutUri,
  signInFor,
  withWorld,
} from "./postern.ts";
import type { Visitor } from "./visitor.ts";

const client: oauth.Client = { client_id: "app" };

async function signIn(world: World, visitor: Visitor, authenticate: oauth.ClientAuth) {
  const options = { [oauth.customFetch]: fetchFrom(world) };
  const server = await discoverServer(world);
  const verifier = oauth.generateRandomCodeVerifier();
  const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
  const url = await addressOf(server, verifier, {
    client_id: client.client_id,
    redirect_uri: redirectUri,
    scope: "openid profile email",
    state,
    nonce,
    max_age: "600",
  });
  const called = oauth.validateAuthResponse(server, client, await signInFor(visitor, url), state);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authenticate,
    called,
    redirectUri,
    verifier,
    options,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response, {
    expectedNonce: nonce,
    maxAge: 600,
    requireIdToken: true,
  });
  await oauth.validateApplicationLevelSignature(server, response, options);
  return { server, options, tokens };
}

const kinds = [
  ["a public client", publicClient, oauth.None()],
  ["a client with a secret", basicClient, oauth.ClientSecretBasic(secret)],
] as const;

for (const [name, metadata, authenticate] of kinds) {
  test(`clients: oauth4webapi, ${name}: the whole life of a token`, () =>
    withWorld(metadata, async (world, visitor) => {
      const { server, options, tokens } = await signIn(world, visitor, authenticate);
      const { sub } = oauth.getValidatedIdTokenClaims(tokens)!;
      const askWho = async (token: string) => {
        const response = await oauth.userInfoRequest(server, client, token, options);
        return await oauth.processUserInfoResponse(server, client, sub, response);
      };
      const refresh = async (token: string) => {
        const response = await oauth.refreshTokenGrantRequest(server, client, authenticate, token, options);
        return await oauth.processRefreshTokenResponse(server, client, response);
      };
      const revoke = async (token: string) =>
        await oauth.processRevocationResponse(
          await oauth.revocationRequest(server, client, authenticate, token, options),
        );
      requireCarol(await askWho(tokens.access_token));
      const next = await refresh(tokens.refresh_token!);
      requireCarol(await askWho(next.access_token));
      await revoke(next.access_token);
      await assertRejects(() => askWho(next.access_token), oauth.WWWAuthenticateChallengeError);
      await revoke(next.refresh_token!);
      await assertRejects(() => refresh(next.refresh_token!), oauth.ResponseBodyError);

      const goodbye = new URL(server.end_session_endpoint!);
      goodbye.searchParams.set("id_token_hint", tokens.id_token!);
      goodbye.searchParams.set("post_logout_redirect_uri", signedOutUri);
      assertEquals((await visitor.open(goodbye)).leftFor?.href, signedOutUri);
    }));
}
