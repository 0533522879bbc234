/** `openid-client` 6 as its README uses it, with state and nonce. */

import * as client from "openid-client";
import type { Mock, Scenario } from "../../../src/kit/mod.ts";
import {
  challenges,
  chosenPkce,
  comparedIdTokens,
  countRefreshes,
  type Examined,
  grantedScopes,
  hasToStopWaiting,
  keptStates,
  keptTokens,
  needsTwoLogins,
  ofApplication,
  requireOk,
  resourceOf,
  scope,
  signOut,
  thrownErrors,
} from "./examined.ts";

const base = {
  package: "openid-client",
  leaves: {
    ...challenges,
    ...chosenPkce,
    "The application keeps the `state` of a sign-out.": ["logout.not_returned"],
    "The application compares what the server registered with what it asked for.": [
      "registration.auth_method_changed",
      "registration.redirect_uris_changed",
      "registration.scope_reduced",
    ],
    "The application chooses the key of DPoP.": ["dpop.algorithms_unsupported"],
    ...keptStates,
    ...keptTokens,
    ...thrownErrors,
    ...ofApplication,
    ...grantedScopes,
    ...comparedIdTokens,
  },
  notes: [
    "It asks for userinfo before it refuses an empty `sub`.",
    "It compares the issuer of the metadata as a `URL`, which adds a slash to an origin.",
    "Without a registered `id_token_signed_response_alg`, it accepts the algorithms that the metadata lists, as its " +
    "documentation says.",
    "A refresh does not know the first ID token. The application compares the two, so there are no rows about that.",
    "It returns the scope of a token, and leaves it to the application to compare it. So there are no rows about " +
    "additional scopes.",
  ],
  use:
    "discovery, PKCE, `expectedState`, `expectedNonce`, `timeout`; DPoP, pushed requests and revocation in their areas",
} satisfies Partial<Examined>;

export const openidClient: Examined = {
  ...base,
  client: createClient([]),
};

export const openidClientWithSignatures: Examined = {
  ...base,
  use: `${base.use}, \`enableNonRepudiationChecks\``,
  client: createClient([client.enableNonRepudiationChecks]),
};

type Extension = (config: client.Configuration) => void;

function createClient(execute: readonly Extension[]): Examined["client"] {
  return async (as, scenario) => {
    const config = await configure(as, scenario, execute);
    // The person tries again after a failed login.
    if (scenario.name === "pushed_request.login_fails") await run(config, scenario).catch(() => {});
    if (needsTwoLogins(scenario)) await run(config, scenario);
    await run(config, scenario);
  };
}

async function configure(
  as: Mock,
  scenario: Scenario,
  execute: readonly Extension[],
): Promise<client.Configuration> {
  const { issuer, clientId, redirectUri, phase } = scenario;
  // A busy machine answers late. The client gives up early only where no answer comes.
  const timeout = hasToStopWaiting(scenario) ? 4 : 60;
  const terms = { [client.customFetch]: as.fetch, execute: [...execute], timeout };
  return phase === "register"
    ? await client.dynamicClientRegistration(
      new URL(issuer),
      { redirect_uris: [redirectUri], token_endpoint_auth_method: "none" },
      client.None(),
      terms,
    )
    : await client.discovery(new URL(issuer), clientId, undefined, client.None(), terms);
}

async function run(config: client.Configuration, scenario: Scenario): Promise<void> {
  const { name, redirectUri, postLogoutRedirectUri, api, phase, browse } = scenario;
  const area = name?.replace(/\..*$/, "");
  const bound = area === "dpop"
    ? { DPoP: client.getDPoPHandle(config, await client.randomDPoPKeyPair()) }
    : {};
  const resource = resourceOf(scenario);
  const pkceCodeVerifier = client.randomPKCECodeVerifier();
  const [expectedState, expectedNonce] = [client.randomState(), client.randomNonce()];
  const request = {
    redirect_uri: redirectUri,
    scope,
    state: expectedState,
    nonce: expectedNonce,
    code_challenge: await client.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: "S256",
    ...resource,
  };
  const url = area === "pushed_request"
    ? await client.buildAuthorizationUrlWithPAR(config, request, bound)
    : client.buildAuthorizationUrl(config, request);
  const checks = { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true };
  const callback = await browse(url);
  let tokens = await client.authorizationCodeGrant(config, callback, checks, { ...resource }, bound);
  const { id_token: idToken } = tokens;
  const call = async () => {
    await requireOk(
      await client.fetchProtectedResource(
        config,
        tokens.access_token,
        new URL(api),
        "GET",
        null,
        undefined,
        bound,
      ),
    );
  };
  if (phase === "login" || phase === "register") {
    await client.fetchUserInfo(config, tokens.access_token, tokens.claims()!.sub, bound);
  }
  if (phase === "call_api") await call();
  if (phase === "refresh") {
    let refreshToken = tokens.refresh_token!;
    for (let count = countRefreshes(scenario); count > 0; count--) {
      tokens = await client.refreshTokenGrant(config, refreshToken, { ...resource }, bound);
      refreshToken = tokens.refresh_token ?? refreshToken;
      await call();
    }
  }
  if (area === "revocation" || name?.startsWith("metadata.revocation")) {
    await client.tokenRevocation(config, tokens.refresh_token!);
  }
  if (phase === "logout") {
    await signOut(
      scenario,
      client.buildEndSessionUrl(config, {
        post_logout_redirect_uri: postLogoutRedirectUri,
        id_token_hint: idToken!,
      }),
    );
  }
}
