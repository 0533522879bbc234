/** Okta, as an authorization server of an organization answers. */

import { changeTokens } from "../changes.ts";
import {
  forgoesPkce,
  parametersInQuery,
  refreshesOnlyOffline,
  secretEitherWay,
  sendsNoIss,
  sentIn,
} from "./differences.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";

const page = pagesOf("https://developer.okta.com/docs/");
const api = page("OpenID Connect & OAuth 2.0 API", "reference/api/oidc/");
const library = page(
  "Okta's library okta-auth-js, which revokes tokens so",
  "https://github.com/okta/okta-auth-js/blob/master/lib/oidc/revokeToken.ts",
);
const goLibrary = page(
  "okta-sdk-golang, the library of Okta, which sends the parameters of its POST so",
  "https://github.com/okta/okta-sdk-golang/blob/master/okta/client.go",
);
const signing = page("Build a JWT for client authentication", "guides/build-self-signed-jwt/-/main/");
const deviceGrant = page(
  "Implement OAuth for Okta: device authorization grant",
  "guides/device-authorization-grant/main/",
);
const refreshing = page("Refresh access tokens", "guides/refresh-tokens/main/");

export const okta: LookAlike = {
  addresses(host) {
    const issuer = `https://${host}`;
    // Without the path of a custom authorization server, the host is that of the org authorization server.
    const base = host.includes("/") ? `${issuer}/v1` : `${issuer}/oauth2/v1`;
    return {
      issuer,
      endpoints: [
        { url: `${issuer}/.well-known/openid-configuration`, is: "metadata", source: api },
        { url: `${base}/authorize`, is: "authorize", source: api },
        { url: `${base}/token`, is: "token", source: api, accepts: [parametersInQuery(goLibrary)] },
        { url: `${base}/userinfo`, is: "userinfo", source: api },
        { url: `${base}/keys`, is: "jwks", source: api },
        { url: `${base}/introspect`, is: "introspect", source: api },
        { url: `${base}/revoke`, is: "revoke", source: api },
        { url: `${base}/logout`, is: "logout", source: api },
        { url: `${base}/par`, is: "par", source: api },
        { url: `${base}/device/authorize`, is: "device_authorization", source: deviceGrant },
      ],
    };
  },
  lax: [
    forgoesPkce(api),
    secretEitherWay(api),
    {
      server:
        "The `aud` of a client_assertion may be the address of the endpoint. Without a `jti`, the client may use it again.",
      source: signing,
      sets: { assertions: { takesEndpoint: true, jti: "optional" } },
    },
    {
      server: "A public client may send its id alone as Basic credentials, without a colon and a secret.",
      source: library,
      sets: { readsIdAlone: true },
    },
    {
      server: "A public client may introspect a token with its client_id alone.",
      source: api,
      sets: { publicClientsIntrospect: true },
    },
  ],
  differences: [
    sendsNoIss(api),
    refreshesOnlyOffline(api),
    {
      server:
        "The response to a refresh has the same refresh token again, as for a web application by default.",
      source: refreshing,
      settings: { server: { lifetimes: { refreshGrace: 86400 } } },
      acts: changeTokens((members, _tools, at) => {
        const sent = sentIn(at).get("refresh_token");
        return sent !== null && "refresh_token" in members ? { ...members, refresh_token: sent } : members;
      }),
    },
  ],
  leftOut: [
    "The scheme `Basic:` with a colon, which @davidzemon/passport-okta-oauth sends. No page of the provider names that.",
    "The sessions of Okta, such as `/api/v1/sessions/me`, and the Authentication API at `/api/v1/authn`.",
    "The response mode okta_post_message, which okta-auth-js uses for getWithPopup and getWithoutPrompt. Such a request is " +
    "refused. With `offline_access` in the scope, okta-auth-js renews without it.",
    "Refresh token rotation, which an application can choose.",
    "That an authorization request must have a state.",
    "The metadata at `/.well-known/oauth-authorization-server`, and the form of access tokens.",
    "The registration of clients, the page for the code of a device, and the Management API.",
  ],
};
