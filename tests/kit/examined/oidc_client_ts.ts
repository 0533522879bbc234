/** `oidc-client-ts` 3 with its default settings and userinfo. */

import { InMemoryWebStorage, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { openedBy } from "./browser.ts";
import {
  callApi,
  challenges,
  countRefreshes,
  type Examined,
  issuerOfResponse,
  needsTwoLogins,
  notUsed,
  ofApplication,
  refreshForCallers,
  resourceOf,
  scope,
  signOut,
  thrownErrors,
} from "./examined.ts";

export const oidcClientTs: Examined = {
  package: "oidc-client-ts",
  use: "`UserManager`, `loadUserInfo: true`, `automaticSilentRenew: false`",
  leaves: {
    ...challenges,
    ...notUsed("pushed_request", "dpop"),
    "A browser blocks the requests of an https page to an http address.": ["metadata.token_endpoint_http"],
    ...issuerOfResponse,
    "The application sends the token of a refresh, and reads its type from the `User`.": [
      "refresh.token_type_unknown",
    ],
    "The `User` has the scope of a login.": ["token_response.scope_more"],
    ...ofApplication,
    ...thrownErrors,
  },
  notes: [
    "Of an ID token, it checks `sub` and `nonce`, and after a refresh also `auth_time` and `azp`. Issue " +
    "[#2475](https://github.com/authts/oidc-client-ts/issues/2475) asks for the other checks.",
    "It decodes the `state` of the response once more (`SigninResponse`), so it takes an encoded one for the right one.",
    "It does not read the issuer of the metadata.",
    "It does not support the parameter `iss` of RFC 9207, and one `UserManager` has one server. So there are no rows about " +
    "`iss` and mix-up.",
    "`User` has the scope of a token, so there is no row about an additional scope at a login. The library asks for this " +
    "scope at the next refresh, unless `refreshTokenAllowedScope` is set.",
    "It follows a redirect of userinfo, and `fetch` does not send the access token to another host.",
    "It compares the beginning of the Content-Type with `application/json`, and minds capital letters.",
  ],
  does: ["two_refreshes"],
  async client(as, scenario) {
    const { issuer, clientId, redirectUri, postLogoutRedirectUri, phase, browse } = scenario;
    using _intercepted = as.intercept();
    const store = () => new WebStorageStateStore({ store: new InMemoryWebStorage() });
    const resource = resourceOf(scenario);
    const manager = new UserManager({
      authority: issuer,
      client_id: clientId,
      redirect_uri: redirectUri,
      post_logout_redirect_uri: postLogoutRedirectUri,
      scope,
      // Userinfo does not accept a token for the API.
      loadUserInfo: resource.resource === undefined,
      automaticSilentRenew: false,
      userStore: store(),
      stateStore: store(),
      ...resource,
    });
    try {
      const logIn = async () => {
        const opened = await openedBy(() => manager.signinRedirect());
        return await manager.signinRedirectCallback((await browse(opened)).href);
      };
      if (needsTwoLogins(scenario)) await logIn();
      const user = await logIn();
      if (phase === "call_api") await callApi(fetch, scenario, user.access_token);
      if (phase === "refresh") {
        for (let count = countRefreshes(scenario); count > 0; count--) {
          await refreshForCallers(scenario, async () => {
            const refreshed = await manager.signinSilent();
            await callApi(fetch, scenario, refreshed!.access_token);
          });
        }
      }
      if (phase === "logout") {
        const back = await signOut(
          scenario,
          await openedBy(() => manager.signoutRedirect({ state: "over" })),
        );
        if (back !== undefined) await manager.signoutRedirectCallback(back.href);
      }
    } finally {
      // Removing the user stops the library's timers.
      await manager.removeUser();
    }
  },
};
