/** The answers of Auth0. */

import type { Provider } from "../provider_answers.ts";
import { inForm } from "../provider_shop.ts";

const auth0 = "https://shop.eu.auth0.com";
const device = `${auth0}/oauth/device/code`;
const scope = "openid profile email offline_access";

export const auth0Answers: Provider = {
  authorize: `${auth0}/authorize`,
  token: `${auth0}/oauth/token`,
  revoke: `${auth0}/oauth/revoke`,
  device,
  login: { scope },
  tokens: "access_token token_type expires_in:number scope refresh_token id_token",
  accessToken: "iss sub aud azp iat:number exp:number scope",
  idToken: `
    iss sub aud iat:number exp:number sid name nickname picture updated_at email email_verified:boolean given_name
    family_name`,
  answers: [
    [`GET ${auth0}/userinfo`, "sub name nickname picture updated_at email email_verified:boolean"],
    [
      `POST ${device}`,
      "device_code user_code verification_uri interval:number verification_uri_complete expires_in:number",
      { by: "none", form: { ...inForm, scope } },
    ],
  ],
  refusals: [
    ["no grant_type", 400, "invalid_request", "Missing required parameter: grant_type"],
    [
      "a grant_type of others",
      ...[403, "unauthorized_client", "Grant type 'client_credentials' not allowed for the client."] as const,
    ],
    ["no code", 400, "invalid_request", "Missing required parameter: code"],
    ["an unknown code", 403, "invalid_grant", "Invalid authorization code"],
    ["a used code", 403, "invalid_grant", "Invalid authorization code"],
    [
      "another redirect_uri",
      ...[403, "invalid_grant"] as const,
      "The redirect URI is wrong. You sent https://other.test/, and we expected https://app.test/callback",
    ],
    ["another verifier", 403, "invalid_grant", "Failed to verify code verifier"],
    ["no verifier", 403, "invalid_grant", "Failed to verify code verifier"],
    ["no client", 401, "access_denied", "Unauthorized"],
    ["a wrong secret", 401, "access_denied", "Unauthorized"],
    ["an unknown refresh token", 403, "invalid_grant", "Unknown or invalid refresh token."],
    ["a revoked refresh token", 403, "invalid_grant", "Unknown or invalid refresh token."],
    ["no refresh token", 400, "invalid_request", "Missing required parameter: refresh_token"],
    ["a pending device", 403, "authorization_pending", "User has yet to authorize device code."],
    [
      "a hasty device",
      ...[429, "slow_down", "You are polling faster than the specified interval of 5 seconds."] as const,
    ],
    ["a refused device", 403, "access_denied", "User cancelled the confirmation prompt."],
    ["revoke: no token", 400, "invalid_request", "Missing required parameter: token"],
  ],
  redirects: {
    access_denied: "User did not authorize the request",
    consent_required: "Consent required",
    login_required: "Login required",
  },
};
