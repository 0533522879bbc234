/** The page of a shop that logs people in with okta-auth-js. */

import { OktaAuth } from "@okta/okta-auth-js";

const okta = new OktaAuth({
  issuer: "https://shop.okta.com/oauth2/default",
  clientId: "shop",
  redirectUri: `${location.origin}/callback`,
  postLogoutRedirectUri: `${location.origin}/`,
  scopes: ["openid", "profile", "offline_access"],
});

globalThis.sdk = {
  logIn: () => okta.signInWithRedirect(),
  async finish() {
    await okta.storeTokensFromRedirect();
    return (await okta.getUser()).name;
  },
  async renew() {
    const { accessToken } = await okta.token.renewTokens();
    return accessToken.accessToken;
  },
  logOut: () => okta.signOut(),
};
