/** The page of a shop that logs people in with auth0-spa-js. */

import { createAuth0Client } from "@auth0/auth0-spa-js";

const auth0 = await createAuth0Client({
  domain: "shop.eu.auth0.com",
  clientId: "shop",
  useRefreshTokens: true,
  cacheLocation: "localstorage",
  authorizationParams: { redirect_uri: `${location.origin}/callback` },
});

globalThis.sdk = {
  logIn: () => auth0.loginWithRedirect(),
  async finish() {
    await auth0.handleRedirectCallback();
    return (await auth0.getUser()).name;
  },
  renew: () => auth0.getTokenSilently({ cacheMode: "off" }),
  logOut: () => auth0.logout({ logoutParams: { returnTo: `${location.origin}/` } }),
};
