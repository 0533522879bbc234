/** `oidc-client-ts` 3 with its default settings and userinfo. */

import { type INavigator, InMemoryWebStorage, UserManager, WebStorageStateStore } from "oidc-client-ts";
import { callApi, type Examined, resourceOf, scope, signOut } from "./examined.ts";

export const oidcClientTs: Examined = {
  package: "oidc-client-ts",
  use: "`UserManager`, `loadUserInfo: true`",
  omits: ["resource", "pushed_request", "dpop"],
  notes: [
    "Of an ID token, it checks `sub` and `nonce`, and after a refresh also `auth_time` and `azp`. Issue " +
    "[#2475](https://github.com/authts/oidc-client-ts/issues/2475) asks for the other checks.",
    "It reads neither the issuer of the metadata nor the `iss` of the authorization response.",
    "It compares the beginning of the Content-Type with `application/json`, and minds capital letters.",
  ],
  async client(as, scenario) {
    const { issuer, clientId, redirectUri, postLogoutRedirectUri, phase, browse } = scenario;
    using _intercepted = as.intercept();
    let opened = "";
    const navigator: INavigator = {
      prepare: () =>
        Promise.resolve({
          navigate: ({ url }) => Promise.resolve({ url: opened = url }),
          close() {},
        }),
      callback: () => Promise.resolve(),
    };
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
    }, navigator);
    try {
      await manager.signinRedirect();
      const user = await manager.signinRedirectCallback((await browse(opened)).href);
      if (phase === "call_api") await callApi(fetch, scenario, user.access_token);
      if (phase === "refresh") {
        for (let count = 0; count < 2; count++) {
          const refreshed = await manager.signinSilent();
          await callApi(fetch, scenario, refreshed!.access_token);
        }
      }
      if (phase === "logout") {
        await manager.signoutRedirect({ state: "over" });
        const back = await signOut(scenario, opened);
        if (back !== undefined) await manager.signoutRedirectCallback(back.href);
      }
    } finally {
      // Removing the user stops the library's timers.
      await manager.removeUser();
    }
  },
};
