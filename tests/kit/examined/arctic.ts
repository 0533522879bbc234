/** `arctic` 3 with its generic client. The application compares the state, as the documentation shows. */

import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  type OAuth2Tokens,
} from "arctic";
import type { Mock, Scenario } from "../../../src/kit/mod.ts";
import {
  callApi,
  challenges,
  countRefreshes,
  type Examined,
  grantedScopes,
  keptTokens,
  notUsed,
  ofApplication,
  scopeWithoutOpenid,
  SeenByDriver,
  sentTokens,
  tokenTypes,
} from "./examined.ts";

export const arctic: Examined = {
  package: "arctic",
  use: "`OAuth2Client` with PKCE; the application reads the authorization response",
  notes: [
    "It returns the type of a token by `tokenType()` and its scope by `scopes()`, and leaves it to the application to ask " +
    "for them. So there are no rows about unknown types and additional scopes.",
    "It only decodes ID tokens: [its documentation](https://arcticjs.dev/reference/main/decodeIdToken) says so of " +
    "`decodeIdToken`. The checks are those of the application, so there is no card with ID tokens.",
    "`accessTokenExpiresAt()` throws an error if `expires_in` is no number.",
  ],
  leaves: {
    "The application reads the authorization response, and asks for userinfo.": [
      "authorization_response",
      "userinfo",
    ],
    ...challenges,
    ...notUsed("pushed_request", "dpop"),
    ...sentTokens,
    ...keptTokens,
    ...ofApplication,
    ...tokenTypes,
    ...grantedScopes,
  },
  client: run,
};

async function run(as: Mock, scenario: Scenario): Promise<void> {
  const { issuer, clientId, redirectUri, phase, browse } = scenario;
  using _intercepted = as.intercept();
  const client = new OAuth2Client(clientId, null, redirectUri);
  const [authorizationEndpoint, tokenEndpoint] = [`${issuer}/oauth2/authorize`, `${issuer}/oauth2/token`];
  const scopes = scopeWithoutOpenid.split(" ");
  const [state, verifier] = [generateState(), generateCodeVerifier()];
  const url = client.createAuthorizationURLWithPKCE(
    authorizationEndpoint,
    state,
    CodeChallengeMethod.S256,
    verifier,
    scopes,
  );
  url.searchParams.set("resource", scenario.api);
  const { searchParams } = await browse(url);
  const [code, returnedState] = [searchParams.get("code"), searchParams.get("state")];
  if (code === null || returnedState === null || returnedState !== state) {
    throw new SeenByDriver("the state differs, or there is no code");
  }
  const tokens = await client.validateAuthorizationCode(tokenEndpoint, code, verifier);
  keepExpiry(tokens);
  if (phase !== "refresh") await callApi(fetch, scenario, tokens.accessToken());
  else {
    let refreshToken = tokens.refreshToken();
    for (let count = countRefreshes(scenario); count > 0; count--) {
      const refreshed = await client.refreshAccessToken(tokenEndpoint, refreshToken, scopes);
      // The server may keep the refresh token, and the documentation says to ask with `hasRefreshToken`.
      if (refreshed.hasRefreshToken()) refreshToken = refreshed.refreshToken();
      keepExpiry(refreshed);
      await callApi(fetch, scenario, refreshed.accessToken());
    }
  }
}

/** An application keeps the time at which a token expires, if the server names one. */
function keepExpiry(tokens: OAuth2Tokens): void {
  if ("expires_in" in tokens.data) tokens.accessTokenExpiresAt();
}
