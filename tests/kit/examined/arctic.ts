/** `arctic` 3 with its generic client. The application compares the state, as the documentation shows. */

import {
  CodeChallengeMethod,
  decodeIdToken,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  type OAuth2Tokens,
} from "arctic";
import type { Mock, Scenario } from "../../../src/kit/mod.ts";
import {
  callApi,
  countRefreshes,
  type Examined,
  ofApplication,
  resourceOf,
  scope,
  scopeWithoutOpenid,
  tokenTypes,
} from "./examined.ts";

const base = {
  package: "arctic",
  notes: [
    "It returns the `token_type` by `tokenType()`, and leaves it to the application to ask for it. So there are no rows " +
    "about unknown types.",
    "`accessTokenExpiresAt()` throws an error if `expires_in` is no number.",
  ],
  omits: [
    ...["authorization_response", "userinfo", "resource", "pushed_request", "dpop"] as const,
    ...ofApplication,
    ...tokenTypes,
  ],
} satisfies Partial<Examined>;
const use = "`OAuth2Client` with PKCE; the application reads the authorization response";

export const arctic: Examined = {
  ...base,
  use,
  client: (as, scenario) => run(as, scenario, { readsIdToken: false }),
};

export const arcticWithIdToken: Examined = {
  ...base,
  use: `${use}; \`decodeIdToken\`, which only decodes`,
  client: (as, scenario) => run(as, scenario, { readsIdToken: true }),
};

async function run(
  as: Mock,
  scenario: Scenario,
  { readsIdToken }: { readonly readsIdToken: boolean },
): Promise<void> {
  const { issuer, clientId, redirectUri, phase, browse } = scenario;
  using _intercepted = as.intercept();
  const client = new OAuth2Client(clientId, null, redirectUri);
  const [authorizationEndpoint, tokenEndpoint] = [`${issuer}/oauth2/authorize`, `${issuer}/oauth2/token`];
  const scopes = (readsIdToken ? scope : scopeWithoutOpenid).split(" ");
  const [state, verifier] = [generateState(), generateCodeVerifier()];
  const url = client.createAuthorizationURLWithPKCE(
    authorizationEndpoint,
    state,
    CodeChallengeMethod.S256,
    verifier,
    scopes,
  );
  const isForApi = !readsIdToken || resourceOf(scenario).resource !== undefined;
  if (isForApi) url.searchParams.set("resource", scenario.api);
  const { searchParams } = await browse(url);
  const [code, returnedState] = [searchParams.get("code"), searchParams.get("state")];
  if (code === null || returnedState === null || returnedState !== state) {
    throw new Error("the state differs, or there is no code");
  }
  const tokens = await client.validateAuthorizationCode(tokenEndpoint, code, verifier);
  if (readsIdToken) decodeIdToken(tokens.idToken());
  keepExpiry(tokens);
  if (!isForApi) await loadUserinfo(`${issuer}/userinfo`, tokens.accessToken());
  else if (phase !== "refresh") await callApi(fetch, scenario, tokens.accessToken());
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

async function loadUserinfo(url: string, accessToken: string): Promise<void> {
  const response = await fetch(url, { headers: { authorization: `Bearer ${accessToken}` } });
  if (!response.ok) throw new Error(`userinfo answers ${response.status}`);
  await response.json();
}
