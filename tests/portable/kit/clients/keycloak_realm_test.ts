/** openid-client at a realm of Keycloak, whose issuer has a path: what it learns when a login fails. */

import { assertEquals, assertRejects } from "@std/assert";
import * as openid from "openid-client";
import { createMock } from "../../../../src/kit/mod.ts";
import { test } from "../../../runner.ts";

test("provider hosts: openid-client learns at a realm of keycloak of a denial, a fault and an expired code", async () => {
  const redirectUri = "https://shop.test/callback";
  await using as = await createMock({
    onUnhandled: "error",
    clients: [{ client_id: "shop", client_secret: "the secret of the shop", redirect_uris: [redirectUri] }],
  });
  as.lookLike("keycloak", { host: "sso.acme.test/auth/realms/acme" });
  using _intercepted = as.intercept();
  const realm = new URL("https://sso.acme.test/auth/realms/acme");
  const config = await openid.discovery(
    realm,
    "shop",
    undefined,
    openid.ClientSecretBasic("the secret of the shop"),
  );
  const pkceCodeVerifier = openid.randomPKCECodeVerifier();
  const url = openid.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope: "openid",
    code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
  });
  const redeem = (callback: URL) => openid.authorizationCodeGrant(config, callback, { pkceCodeVerifier });
  const denied = await as.authorize(url, { as: "alice", deny: true });
  const refused = await assertRejects(() => redeem(denied), openid.AuthorizationResponseError);
  assertEquals(refused.error, "access_denied");
  {
    using wrong = as.misbehave("id_token.aud_wrong");
    const callback = await as.authorize(url, { as: "alice" });
    await assertRejects(() => redeem(callback), openid.ClientError, "unexpected JWT claim value");
    assertEquals(wrong.count, 1);
  }
  const callback = await as.authorize(url, { as: "alice" });
  as.clock.advance("11m");
  const expired = await assertRejects(() => redeem(callback), openid.ResponseBodyError);
  assertEquals(
    [expired.error, as.requests.token.at(-1)?.refusal?.reason],
    ["invalid_grant", "code_expired"],
  );
});
