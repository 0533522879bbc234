/** `simple-oauth2` 5 as its README uses it, with PKCE and state from the application. */

import { AuthorizationCode } from "simple-oauth2";
import { sha256 } from "../../../src/ground/crypto/platform.ts";
import {
  callApi,
  challenges,
  countRefreshes,
  type Examined,
  grantedScopes,
  notUsed,
  ofApplication,
  scopeWithoutOpenid,
  secret,
  SeenByDriver,
  tokenTypes,
  withSecret,
} from "./examined.ts";

interface AccessToken {
  readonly token: Readonly<Record<string, unknown>>;
  refresh(): Promise<AccessToken>;
}

export const simpleOauth2: Examined = {
  package: "simple-oauth2",
  use: "`AuthorizationCode`; the application sends PKCE, and reads the authorization response",
  notes: [
    "It returns the answer of the token endpoint as it is, and leaves all checks to the application. So there are no rows " +
    "about unknown types of tokens and additional scopes.",
    "`refresh()` reads the old refresh token from the wrong place, and so loses it if the response has no new one. " +
    "A comment in [#434](https://github.com/lelylan/simple-oauth2/pull/434) says so, too.",
  ],
  leaves: {
    "The application reads the authorization response, and creates the values of a login.": [
      "authorization_response",
      "login",
    ],
    ...challenges,
    ...notUsed("pushed_request", "dpop"),
    ...ofApplication,
    ...tokenTypes,
    ...grantedScopes,
  },
  options: withSecret("client_secret_basic"),
  listen: true,
  async client(_as, scenario) {
    const { issuer, clientId, redirectUri, api, phase, browse } = scenario;
    const client = new AuthorizationCode({
      client: { id: clientId, secret },
      auth: { tokenHost: issuer, tokenPath: "/oauth2/token", authorizePath: "/oauth2/authorize" },
    });
    const state = crypto.randomUUID();
    const verifier = crypto.randomUUID() + crypto.randomUUID();
    const url = client.authorizeURL({
      redirect_uri: redirectUri,
      scope: scopeWithoutOpenid,
      state,
      ...{ code_challenge: sha256(verifier), code_challenge_method: "S256", resource: api },
    });
    const { searchParams } = await browse(url);
    const code = searchParams.get("code");
    if (code === null || searchParams.get("state") !== state) {
      throw new SeenByDriver("the state differs, or there is no code");
    }
    let accessToken: AccessToken = await client.getToken({
      code,
      redirect_uri: redirectUri,
      ...{ code_verifier: verifier },
    });
    const call = async () => {
      const { access_token: value } = accessToken.token;
      // The library went on without an access token that is a text, and the application has nothing to send.
      if (typeof value === "string") await callApi(fetch, scenario, value);
    };
    if (phase !== "refresh") await call();
    else {
      for (let count = countRefreshes(scenario); count > 0; count--) {
        accessToken = await accessToken.refresh();
        await call();
      }
    }
  },
};
