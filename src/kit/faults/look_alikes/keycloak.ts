/** Keycloak, as a realm answers. */

import { digest } from "../../../ground/crypto/platform.ts";
import { decodeOctets, encodeOctets, encodeText } from "../../../ground/values/octets.ts";
import { type Answer, withHeaders } from "../../../ground/http/message.ts";
import { answerHeaders } from "../../../ground/http/respond.ts";
import { refreshTokenForm } from "../../../server/oauth/secrets/credential.ts";
import { changeResponse, changeText, changeTokens } from "../changes.ts";
import type { Acts, Tools } from "../misbehaviour.ts";
import { forgoesPkce, secretInForm } from "./differences.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";

const page = pagesOf("https://www.keycloak.org/");
const endpoints = page(
  "Securing applications and services with OpenID Connect",
  "securing-apps/oidc-layers",
);
const pkce = page(
  "Server Administration Guide, Proof Key for Code Exchange Code Challenge Method",
  "docs/latest/server_admin/index.html#_proof-key-for-code-exchange",
);
const adapter = page(
  "Keycloak JavaScript adapter, Modern Browsers with Tracking Protection",
  "securing-apps/javascript-adapter#_modern_browsers",
);
const adapterProperties = page(
  "Keycloak JavaScript adapter, Properties",
  "securing-apps/javascript-adapter#_api_reference",
);
const clientSecrets = page(
  "Class ClientIdAndSecretAuthenticator",
  "docs-api/latest/javadocs/org/keycloak/authentication/authenticators/client/ClientIdAndSecretAuthenticator.html",
);
const timeouts = page(
  "Server Administration Guide, Session and token timeouts",
  "docs/latest/server_admin/index.html#_timeouts",
);

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
      frames: [{
        url: `${protocol}/3p-cookies/step1.html`,
        page: framePage,
        source: adapter,
      }],
    };
  },
  lax: [
    forgoesPkce(pkce),
    secretInForm(clientSecrets),
  ],
  differences: [
    {
      server:
        "A page may send a token request with its cookies: the answer allows that to the origin of the page.",
      source: adapter,
      acts: changeResponse("token", (answer, _tools, { exchange: { request } }) => {
        const origin = request.header("origin");
        return origin === undefined ? answer : withHeaders(answer, {
          "access-control-allow-origin": origin,
          "access-control-allow-credentials": "true",
          "vary": "origin",
        });
      }),
    },
    {
      server: "A refresh token has the form of a JWT, because pages can parse it.",
      source: adapterProperties,
      acts: changeRefreshTokens,
    },
    {
      server:
        "Without Revoke Refresh Token, a refresh gives a new refresh token, but the old one stays valid.",
      source: timeouts,
      settings: { server: { lifetimes: { refreshGrace: 86400 } } },
    },
  ],
  leftOut: [
    "What is in a refresh token. Only `iss` and `typ` are there. `as.expire()` takes no such token: turn the clock instead.",
    "The roles in `realm_access` and `resource_access`, and other claims of Keycloak alone.",
    "The session status iframe. The frame for third-party cookies always tells keycloak-js that the browser blocks them, so " +
    "keycloak-js redirects the page to find out whether a person is signed in.",
    "The claims about people in tokens, which the mappers of a realm choose. Userinfo has them.",
    "Offline tokens, and a sign-out with a refresh token.",
    "The backchannel authentication endpoint, pushed authorization requests, the account console and the admin API.",
    "The address of the page where a person enters the code of a device.",
  ],
};

const frameScript = 'parent.postMessage("unsupported", "*");';
const frameHash = encodeOctets(digest("sha256", frameScript), "base64");
const framePage: Answer = {
  status: 200,
  headers: {
    ...answerHeaders,
    "content-type": "text/html; charset=utf-8",
    "content-security-policy": `default-src 'none'; script-src 'sha256-${frameHash}'`,
  },
  body: `<!doctype html><title>Frame</title><script>${frameScript}</script>`,
};

const params = ["refresh_token", "token"];

/** The last part of the JWT is the text of the token that this server has issued. Requests get that one again. */
function changeRefreshTokens(tools: Tools): Acts {
  const encode = (text: string) => encodeText(text, "base64url");
  const wrap = (token: string) =>
    [
      JSON.stringify({ alg: "HS512", typ: "JWT" }),
      JSON.stringify({ iss: tools.issuer, typ: "Refresh" }),
      token,
    ]
      .map(encode).join(".");
  const unwrap = (text: string) =>
    String.fromCharCode(...decodeOctets(/^[\w-]+\.[\w-]+\.([\w-]+)$/.exec(text)?.[1] ?? "", "base64url"));
  return {
    ...changeTokens((members) => changeText(members, "refresh_token", wrap))(tools),
    async arrival(arrived, { exchange, endpoint }) {
      if (!["token", "revoke", "introspect"].includes(endpoint)) return arrived;
      const form = new URLSearchParams(await exchange.body());
      const issued = params.map((name) => [name, unwrap(form.get(name) ?? "")] as const)
        .filter(([, token]) => refreshTokenForm.test(token));
      for (const [name, token] of issued) form.set(name, token);
      if (issued.length > 0) exchange.replaceBody(`${form}`);
      return arrived;
    },
  };
}
