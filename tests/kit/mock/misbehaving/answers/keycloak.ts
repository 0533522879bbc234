/** The answers of Keycloak. */

import type { Provider } from "../provider_answers.ts";
import { inForm } from "../provider_shop.ts";

const keycloak = "https://sso.example.com/realms/shop/protocol/openid-connect";
const device = `${keycloak}/auth/device`;

const ofBoth = `
  exp:number iat:number auth_time:number jti iss sub aud typ azp sid acr preferred_username name email
  email_verified:boolean`;

const unknownToKeycloak: readonly [number, string, string] = [
  401,
  "invalid_client",
  "Invalid client or Invalid client credentials",
];
const wrongAtKeycloak: readonly [number, string, string] = [
  401,
  "unauthorized_client",
  "Invalid client or Invalid client credentials",
];

export const keycloakAnswers: Provider = {
  authorize: `${keycloak}/auth`,
  token: `${keycloak}/token`,
  revoke: `${keycloak}/revoke`,
  introspect: `${keycloak}/token/introspect`,
  device,
  par: `${keycloak}/ext/par/request`,
  login: { scope: "openid" },
  tokens: `
    access_token expires_in:number refresh_expires_in:number scope refresh_token token_type id_token session_state
    not-before-policy:number`,
  accessToken: `${ofBoth} scope realm_access:object resource_access:object given_name family_name`,
  idToken: `${ofBoth} at_hash`,
  answers: [
    [
      `GET ${keycloak}/userinfo`,
      "sub preferred_username name email email_verified:boolean given_name family_name",
    ],
    [
      `POST ${device}`,
      "device_code user_code verification_uri interval:number verification_uri_complete expires_in:number",
      { by: "none", form: { ...inForm, scope: "openid" } },
    ],
  ],
  refusals: [
    ["no grant_type", 400, "invalid_request", "Missing form parameter: grant_type"],
    ["another grant_type", 400, "unsupported_grant_type", "Unsupported grant_type"],
    [
      "a grant_type of others",
      ...[401, "unauthorized_client", "Client not enabled to retrieve service account"] as const,
    ],
    ["no code", 400, "invalid_request", "Missing parameter: code"],
    ["no username", 401, "invalid_request", "Missing parameter: username"],
    ["no refresh token", 400, "invalid_request", "No refresh token"],
    ["revoke: no token", 400, "invalid_request", "Token not provided"],
    ["revoke: the token of another client", 400, "invalid_request", "Unmatching clients"],
    ["introspect: no token", 400, "invalid_request", "Token not provided."],
    ["introspect: no client", 401, "invalid_request", "Authentication failed."],
    ["introspect: a public client", 403, "invalid_request", "Client not allowed."],
    ["device: no client", ...unknownToKeycloak],
    [
      "device: a client without the grant",
      ...[400, "unauthorized_client"] as const,
      "Client is not allowed to initiate OAuth 2.0 Device Authorization Grant. The flow is disabled for the client.",
    ],
    ["device: the code of another client", 400, "invalid_grant", "unauthorized client"],
    [
      "device: a grant_type of others",
      ...[400, "invalid_grant", "Client not allowed OAuth 2.0 Device Authorization Grant"] as const,
    ],
    ["two secrets", ...wrongAtKeycloak],
    ["an assertion", ...wrongAtKeycloak],
    ["par: no client", 401, "invalid_request", "Authentication failed."],
    ["par: a wrong secret", 401, "invalid_request", "Authentication failed."],
    ["par: another redirect_uri", 400, "invalid_request", "Invalid parameter: redirect_uri"],
    ["par: another response_type", 400, "invalid_request", "Unsupported response type"],
    ["par: another response_mode", 400, "invalid_request", "Invalid parameter: response_mode"],
  ],
  redirects: { access_denied: null, login_required: null, unsupported_response_type: null },
};
