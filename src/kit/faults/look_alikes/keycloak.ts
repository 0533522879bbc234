/** Keycloak, as a realm answers. */

import { forgoesPkce } from "./differences.ts";
import type { LookAlike, Source } from "./look_alike.ts";

const endpoints: Source = {
  title: "Securing applications and services with OpenID Connect",
  url: "https://www.keycloak.org/securing-apps/oidc-layers",
};
const pkce: Source = {
  title: "Server Administration Guide, Proof Key for Code Exchange Code Challenge Method",
  url: "https://www.keycloak.org/docs/latest/server_admin/index.html#_proof-key-for-code-exchange",
};
const timeouts: Source = {
  title: "Server Administration Guide, Session and token timeouts",
  url: "https://www.keycloak.org/docs/latest/server_admin/index.html#_timeouts",
};

export const keycloak: LookAlike = {
  addresses(host) {
    const realm = `https://${host}`;
    const protocol = `${realm}/protocol/openid-connect`;
    return {
      issuer: realm,
      endpoints: [
        { url: `${realm}/.well-known/openid-configuration`, is: "metadata", source: endpoints },
        { url: `${protocol}/auth`, is: "authorize", source: endpoints },
        { url: `${protocol}/token`, is: "token", source: endpoints },
        { url: `${protocol}/userinfo`, is: "userinfo", source: endpoints },
        { url: `${protocol}/logout`, is: "logout", source: endpoints },
        { url: `${protocol}/certs`, is: "jwks", source: endpoints },
        { url: `${protocol}/token/introspect`, is: "introspect", source: endpoints },
        { url: `${protocol}/revoke`, is: "revoke", source: endpoints },
        { url: `${protocol}/auth/device`, is: "device_authorization", source: endpoints },
        { url: `${realm}/clients-registrations/openid-connect`, is: "register", source: endpoints },
      ],
    };
  },
  lax: [forgoesPkce(pkce)],
  differences: [
    {
      server:
        "Without Revoke Refresh Token, a refresh gives a new refresh token, but the old one stays valid.",
      source: timeouts,
      settings: { server: { lifetimes: { refreshGrace: 86400 } } },
    },
  ],
  leftOut: [
    "The roles in `realm_access` and `resource_access`, and other claims of Keycloak alone.",
    "Offline tokens, and a sign-out with a refresh token.",
    "The backchannel authentication endpoint, pushed authorization requests, the account console and the admin API.",
    "The address of the page where a person enters the code of a device.",
  ],
};
