/** `openid-client` 6 with its default settings: sign-in, refresh, userinfo, sign-out, revocation. */

import { assertEquals, assertRejects } from "@std/assert";
import * as client from "openid-client";
import { test } from "../../../runner.ts";
import { discoverConfiguration } from "./discovery.ts";
import { prepareLogin } from "./openid_client_login.ts";
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

async function signIn(config: client.Configuration, visitor: Visitor) {
  const { params, checks } = await prepareLogin();
  const url = client.buildAuthorizationUrl(config, params);
  return await client.authorizationCodeGrant(config, await signInFor(visitor, url), checks);
}

const kinds = [
  ["a public client", publicClient, undefined],
  ["a client with a secret, by the library's default method", {
    ...basicClient,
    token_endpoint_auth_method: "client_secret_post",
  }, client.ClientSecretPost(secret)],
  ["a client that signs with its secret", {
    ...basicClient,
    token_endpoint_auth_method: "client_secret_jwt",
    token_endpoint_auth_signing_alg: "HS256",
  }, client.ClientSecretJwt(secret)],
] as const;

for (const [name, metadata, authentication] of kinds) {
  test(`clients: openid-client 6, ${name}: the whole life of a token`, () =>
    withWorld(metadata, async (world, visitor) => {
      const config = await discoverConfiguration(world, authentication);
      const tokens = await signIn(config, visitor);
      const { sub } = tokens.claims()!;
      requireCarol(await client.fetchUserInfo(config, tokens.access_token, sub));

      const next = await client.refreshTokenGrant(config, tokens.refresh_token!);
      assertEquals(next.claims()!.sub, sub);
      requireCarol(await client.fetchUserInfo(config, next.access_token, sub));

      await client.tokenRevocation(config, next.access_token);
      await assertRejects(
        () => client.fetchUserInfo(config, next.access_token, sub),
        client.WWWAuthenticateChallengeError,
      );
      await client.tokenRevocation(config, next.refresh_token!);
      const error = await assertRejects(
        () => client.refreshTokenGrant(config, next.refresh_token!),
        client.ResponseBodyError,
      );
      assertEquals(error.error, "invalid_grant");

      const goodbye = client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: signedOutUri,
        id_token_hint: next.id_token!,
        state: "over",
      });
      const { leftFor } = await visitor.open(goodbye);
      assertEquals(leftFor?.href, `${signedOutUri}?state=over`);
    }));
}
