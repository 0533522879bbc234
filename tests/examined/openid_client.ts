/** `openid-client` 6 as its README uses it, with state and nonce. */

import * as client from "openid-client";
import type { Mock, Scenario } from "../../src/mock/mod.ts";
import { type Examined, requireOk, resourceOf, scope } from "./examined.ts";

const base = { package: "openid-client", use: "discovery, PKCE, `expectedState`, `expectedNonce`" };

export const openidClient: Examined = {
  ...base,
  client: (as, scenario) => run(as, scenario, []),
};

export const openidClientWithSignatures: Examined = {
  ...base,
  use: `${base.use}, \`enableNonRepudiationChecks\``,
  client: (as, scenario) => run(as, scenario, [client.enableNonRepudiationChecks]),
};

type Extension = (config: client.Configuration) => void;

async function run(as: Mock, scenario: Scenario, execute: readonly Extension[]): Promise<void> {
  const { issuer, clientId, redirectUri, postLogoutRedirectUri, api, phase, browse } = scenario;
  const terms = { [client.customFetch]: as.fetch, execute: [...execute] };
  const config = phase === "register"
    ? await client.dynamicClientRegistration(
      new URL(issuer),
      { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
      client.None(),
      terms,
    )
    : await client.discovery(new URL(issuer), clientId, undefined, client.None(), terms);
  const resource = resourceOf(scenario);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    ...resource,
  });
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  let tokens = await client.authorizationCodeGrant(config, await browse(url), checks, { ...resource });
  const { id_token: idToken } = tokens;
  const call = async () => {
    await requireOk(await client.fetchProtectedResource(config, tokens.access_token, new URL(api), "GET"));
  };
  if (phase === "login" || phase === "register") {
    await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub);
  }
  if (phase === "call_api") await call();
  if (phase === "refresh") {
    let refreshToken = tokens.refresh_token!;
    for (let count = 0; count < 2; count++) {
      tokens = await client.refreshTokenGrant(config, refreshToken, { ...resource });
      refreshToken = tokens.refresh_token ?? refreshToken;
      await call();
    }
  }
  if (phase === "logout") {
    await browse(client.buildEndSessionUrl(config, {
      post_logout_redirect_uri: postLogoutRedirectUri,
      id_token_hint: idToken!,
    }));
  }
}
