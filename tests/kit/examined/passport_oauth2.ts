/** `passport-oauth2` 1 with PKCE and state. A strategy that loads a profile runs as Passport calls it. */

import { parse } from "node:querystring";
import OAuth2Strategy from "passport-oauth2";
import { HarnessError } from "../../../src/kit/mod.ts";
import {
  callApi,
  challenges,
  type Examined,
  grantedScopes,
  issuerOfResponse,
  needsTwoLogins,
  notUsed,
  ofApplication,
  scopeWithoutOpenid,
  secret,
  thrownErrors,
  tokenTypes,
  withSecret,
} from "./examined.ts";

/** What the strategy does with a request: it redirects the browser, or it has an access token. */
type Step = { readonly redirect: string } | { readonly accessToken: unknown };

type Done = (error: unknown, user: unknown) => void;

/** What the library gives to the strategies that extend its own. */
interface WithHelper {
  readonly _oauth2: { get(url: string, accessToken: string, done: Done): void };
}

export const passportOauth2: Examined = {
  package: "passport-oauth2",
  use:
    "`pkce: true`, `state: true`, and a strategy whose `userProfile` asks the API for a profile by `_oauth2.get`",
  leaves: {
    ...challenges,
    ...notUsed("pushed_request", "dpop"),
    ...issuerOfResponse,
    ...ofApplication,
    ...thrownErrors,
    ...tokenTypes,
    ...grantedScopes,
  },
  notes: [
    "It does not support the parameter `iss` of RFC 9207, so there are no rows about it. An application with several servers " +
    "needs another redirect URI for each (RFC 9700 §4.4.2.2).",
    "It does not read the `token_type` and the `scope`, and gives them to a `verify` function with five parameters, so there " +
    "are no rows about unknown types and additional scopes.",
    "A request without code and error begins a new login, also at the redirect URI.",
    "`_oauth2.get`, which it gives to strategies for `userProfile`, sends the access token in the query by default " +
    "(`_request` in `lib/oauth2.js` of its package `oauth`). `useAuthorizationHeaderforGET(true)` sends it in the header. " +
    "The server refuses a token in the query, so this strategy goes on without a profile.",
    "Its package `oauth` never calls back if the connection breaks in the middle of a token response, so the request of " +
    "the browser hangs.",
  ],
  options: withSecret("client_secret_post"),
  listen: true,
  async client(_as, scenario) {
    const { issuer, clientId, redirectUri, api, browse } = scenario;
    const settings = {
      authorizationURL: `${issuer}/oauth2/authorize?${new URLSearchParams({ resource: api })}`,
      tokenURL: `${issuer}/oauth2/token`,
      clientID: clientId,
      clientSecret: secret,
      callbackURL: redirectUri,
      scope: scopeWithoutOpenid,
      pkce: true,
      state: true,
    };
    const session = {};
    const authenticate = (url: string) =>
      new Promise<Step>((resolve, reject) => {
        // Passport makes an object with these four functions for each request.
        const strategy = Object.assign(new OAuth2Strategy(settings, verify), {
          redirect: (redirect: string) => resolve({ redirect }),
          success: resolve,
          fail: (info?: { readonly message?: string }) => reject(new Error(info?.message ?? "refused")),
          error: reject,
          // A strategy for one provider loads the profile so. A person without a profile is signed in, too.
          userProfile(this: WithHelper, accessToken: string, done: Done) {
            this._oauth2.get(api, accessToken, (error, profile) => done(null, error ? {} : { profile }));
          },
        });
        // Express reads the query in the same way.
        const query = parse(new URL(url).search.slice(1));
        strategy.authenticate({ url, query, body: {}, headers: {}, session } as never);
      });
    const logIn = async () => {
      let step = await authenticate(redirectUri);
      for (let logins = 0; "redirect" in step; logins++) {
        if (logins === mostLogins) {
          throw new HarnessError("the library sends the browser to the server again");
        }
        step = await authenticate((await browse(step.redirect)).href);
      }
      return step;
    };
    if (needsTwoLogins(scenario)) await logIn();
    const { accessToken } = await logIn();
    // The library went on without an access token that is a text, and the application has nothing to send.
    if (typeof accessToken === "string") await callApi(fetch, scenario, accessToken);
  },
};

// The second one shows already that the library begins again.
const mostLogins = 2;

function verify(accessToken: string, _refreshToken: string, _profile: unknown, done: Done): void {
  done(null, { accessToken });
}
