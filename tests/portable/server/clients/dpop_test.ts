/** `openid-client` 6 uses DPoP with each kind of nonces (RFC 9449). */

import { assertEquals, assertRejects } from "@std/assert";
import * as client from "openid-client";
import { test } from "../../../runner.ts";
import { discoverConfiguration } from "./discovery.ts";
import { prepareLogin } from "./openid_client_login.ts";
import { basicClient, requireCarol, secret, signInFor, withWorld } from "./postern.ts";

for (const nonces of ["required", "rotating", "off"] as const) {
  test(`clients: openid-client 6: DPoP with nonces ${nonces} (RFC 9449 §5, §7, §8)`, () =>
    withWorld(basicClient, async (world, visitor) => {
      const config = await discoverConfiguration(world, client.ClientSecretBasic(secret));
      const keys = await client.randomDPoPKeyPair("ES256");
      const DPoP = client.getDPoPHandle(config, keys);
      const { params, checks } = await prepareLogin();
      const bound = { ...params, dpop_jkt: await DPoP.calculateThumbprint() };
      const called = await signInFor(visitor, client.buildAuthorizationUrl(config, bound));
      const tokens = await client.authorizationCodeGrant(config, called, checks, undefined, { DPoP });
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
}

test("clients: openid-client 6: a pushed request with a DPoP proof, with required nonces (RFC 9449 §10.1)", () =>
  withWorld(basicClient, async (world, visitor) => {
    const config = await discoverConfiguration(world, client.ClientSecretBasic(secret));
    const DPoP = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
    const { params, checks } = await prepareLogin();
    const url = await client.buildAuthorizationUrlWithPAR(config, params, { DPoP });
    const called = await signInFor(visitor, url);
    const other = client.getDPoPHandle(config, await client.randomDPoPKeyPair("ES256"));
    const refused = await assertRejects(
      () => client.authorizationCodeGrant(config, called, checks, undefined, { DPoP: other }),
      client.ResponseBodyError,
    );
    assertEquals([refused.error, world.lastRefusal()?.reason], ["invalid_grant", "key_differs"]);
    const tokens = await client.authorizationCodeGrant(config, called, checks, undefined, { DPoP });
    assertEquals(tokens.token_type, "dpop");
  }, { dpop: { nonces: "required" } }));
