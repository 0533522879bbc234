/** The page of a shop that logs people in with auth0-spa-js. */

import { createAuth0Client } from "@auth0/auth0-spa-js";
import { UserManager } from "oidc-client-ts";

const auth0 = await createAuth0Client({
  domain: "shop.eu.auth0.com",
  clientId: "shop",
  useRefreshTokens: true,
  cacheLocation: "localstorage",
  authorizationParams: { redirect_uri: `${location.origin}/callback` },
});

const manager = new UserManager({
  authority: "https://shop.eu.auth0.com/",
  client_id: "shop",
  redirect_uri: `${location.origin}/callback`,
  scope: "openid profile",
});

globalThis.sdk = {
  async logInInWindow() {
    await auth0.loginWithPopup();
    return (await auth0.getUser()).name;
  },
  async logInInWindowByCallback() {
    return (await manager.signinPopup()).profile.name;
  },
  logIn: () => auth0.loginWithRedirect(),
  async finish() {
    await auth0.handleRedirectCallback();
    return (await auth0.getUser()).name;
  },
  renew: () => auth0.getTokenSilently({ cacheMode: "off" }),
  logOut: () => auth0.logout({ logoutParams: { returnTo: `${location.origin}/` } }),
};

if (globalThis.opener !== null) await manager.signinPopupCallback();
