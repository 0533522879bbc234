/** The page of a shop that logs people in with keycloak-js. */

import Keycloak from "keycloak-js";

const keycloak = new Keycloak({ url: "https://sso.example.com", realm: "shop", clientId: "shop" });

globalThis.sdk = {
  // By a redirect, because the provider says that its cookies do not reach a frame.
  check: () =>
    keycloak.init({ onLoad: "check-sso", silentCheckSsoRedirectUri: `${location.origin}/silent.html` }),
  find: () => keycloak.init({}),
  async logIn() {
    await keycloak.init({});
    await keycloak.login({ redirectUri: `${location.origin}/callback`, scope: "profile" });
  },
  async finish() {
    await keycloak.init({});
    return (await keycloak.loadUserInfo()).name;
  },
  async renew() {
    await keycloak.updateToken(-1);
    return keycloak.token;
  },
  logOut: () => keycloak.logout({ redirectUri: `${location.origin}/` }),
};
