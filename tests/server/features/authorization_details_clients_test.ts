/** Rich authorization requests of foreign clients: openid-client and oauth4webapi (RFC 9396). */

import { assertEquals, assertRejects } from "@std/assert";
import * as openid from "openid-client";
import { test } from "../../runner.ts";
import { callbackParams, inWorld, redirectUri, type World } from "../../world.ts";
import { accounts, payment, secret, types } from "./authorization_details.ts";

const details = [payment("5.00"), accounts("list")];

async function withClient(jwk: object, work: (world: World) => Promise<void>): Promise<void> {
  await inWorld({
    now: () => Date.now() / 1000,
    authorizationDetails: types,
    clients: [{
      client_id: "app",
      client_secret: secret,
      redirect_uris: [redirectUri],
      grant_types: ["authorization_code", "refresh_token", "client_credentials"],
      authorization_details_types: Object.keys(types),
      jwks: { keys: [jwk as never] },
    }],
  }, work);
}

const createKeys = () =>
  crypto.subtle.generateKey({ name: "ECDSA", namedCurve: "P-256" }, true, ["sign", "verify"]);

test("authorization_details: openid-client asks for them, plain, pushed and in a request object (RFC 9396 §3)", async () => {
  const keys = await createKeys();
  const jwk = { ...await crypto.subtle.exportKey("jwk", keys.publicKey), kid: "k", alg: "ES256" };
  await withClient(jwk, async (world) => {
    const options = {
      [openid.customFetch]: (url: string, init: object) => world.fetch(new Request(url, init)),
    };
    const client = await openid.discovery(
      new URL(world.issuer),
      "app",
      undefined,
      openid.ClientSecretBasic(secret),
      options,
    );
    assertEquals(client.serverMetadata().authorization_details_types_supported, Object.keys(types));
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const params = {
      redirect_uri: redirectUri,
      scope: "read",
      code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
      code_challenge_method: "S256",
      authorization_details: JSON.stringify(details),
    };
    const rows = [
      () => openid.buildAuthorizationUrl(client, params),
      () => openid.buildAuthorizationUrlWithPAR(client, params),
      () => openid.buildAuthorizationUrlWithJAR(client, params, { key: keys.privateKey as never, kid: "k" }),
    ];
    for (const build of rows) {
      const callback = new URL(`${redirectUri}?${callbackParams(await world.get(`${await build()}`))}`);
      const tokens = await openid.authorizationCodeGrant(client, callback, { pkceCodeVerifier });
      assertEquals(tokens["authorization_details"], details);
      const fewer = { authorization_details: JSON.stringify([payment("5.00")]) };
      const next = await openid.refreshTokenGrant(client, tokens.refresh_token!, fewer);
      assertEquals(next["authorization_details"], [payment("5.00")]);
    }
    const wrong = { ...params, authorization_details: JSON.stringify([{ type: "other" }]) };
    const refused = await assertRejects(
      () => openid.buildAuthorizationUrlWithPAR(client, wrong),
      openid.ResponseBodyError,
    );
    assertEquals(refused.error, "invalid_authorization_details");
  });
});
