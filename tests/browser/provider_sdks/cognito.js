/** The page of a shop that logs people in at Cognito with oidc-client-ts. */

import { UserManager } from "oidc-client-ts";

const manager = new UserManager({
  authority: "https://cognito-idp.eu-central-1.amazonaws.com/eu-central-1_Postern01",
  client_id: "shop",
  redirect_uri: `${location.origin}/callback`,
  scope: "openid profile",
});

globalThis.sdk = {
  logIn: () => manager.signinRedirect(),
  async finish() {
    return (await manager.signinCallback()).profile.name;
  },
  async renew() {
    return (await manager.signinSilent()).access_token;
  },
  async logOut() {
    await manager.removeUser();
    const query = new URLSearchParams({ client_id: "shop", logout_uri: `${location.origin}/` });
    location.assign(`https://shop.auth.eu-central-1.amazoncognito.com/logout?${query}`);
  },
};
