/** The answers of Okta. */

import type { Provider } from "../provider_answers.ts";
import { inForm } from "../provider_shop.ts";

const okta = "https://shop.okta.com/oauth2/default/v1";
const device = `${okta}/device/authorize`;
const scope = "openid profile email offline_access";

const wrongCode = "The authorization code is invalid or has expired.";
const pkce = "PKCE verification failed.";
const oktaRedirect =
  "The 'redirect_uri' does not match the redirection URI used in the authorization request.";
const oktaClient: readonly [number, string, string] = [401, "invalid_client", "No client credentials found"];

export const oktaAnswers: Provider = {
  authorize: `${okta}/authorize`,
  token: `${okta}/token`,
  revoke: `${okta}/revoke`,
  introspect: `${okta}/introspect`,
  device,
  par: `${okta}/par`,
  login: { scope },
  tokens: "access_token token_type expires_in:number scope refresh_token id_token",
  accessToken: "ver:number jti iss aud sub iat:number exp:number cid uid scp:texts auth_time:number",
  idToken: `
    ver:number sub iss aud iat:number exp:number jti amr:texts idp auth_time:number at_hash name
    preferred_username email`,
  answers: [
    [
      `GET ${okta}/userinfo`,
      "sub name given_name family_name locale zoneinfo updated_at:number email email_verified:boolean",
    ],
    [
      `POST ${device}`,
      "device_code user_code verification_uri interval:number verification_uri_complete expires_in:number",
      { by: "none", form: { ...inForm, scope } },
    ],
  ],
  refusals: [
    ["no grant_type", 400, "invalid_request", "The `grant_type` parameter is required."],
    ["another grant_type", 400, "unsupported_grant_type", "The grant type in the request isn't supported."],
    [
      "a grant_type of others",
      ...[400, "unauthorized_client"] as const,
      "The client isn't authorized to use the provided grant type. Configured grant types: " +
      "[authorization_code, refresh_token].",
    ],
    ["no code", 400, "invalid_request", "The `code` parameter is required."],
    ["an unknown code", 400, "invalid_grant", wrongCode],
    ["a used code", 400, "invalid_grant", wrongCode],
    [
      "the code of another client",
      ...[400, "invalid_grant"] as const,
      "The grant was issued to another client. Ensure that the `client_id` matches the one used at the authorize request.",
    ],
    ["another redirect_uri", 400, "invalid_grant", oktaRedirect],
    ["no redirect_uri", 400, "invalid_grant", oktaRedirect],
    ["another verifier", 400, "invalid_grant", pkce],
    ["no verifier", 400, "invalid_grant", pkce],
    ["a malformed verifier", 400, "invalid_grant", pkce],
    ["an unasked verifier", 400, "invalid_grant", pkce],
    ["no client", ...oktaClient],
    ["no secret", ...oktaClient],
    [
      "a wrong secret",
      ...[401, "invalid_client", "The client secret supplied for a confidential client is invalid."] as const,
    ],
    ["an unknown client", 401, "invalid_client", "Invalid value for the `client_id` parameter"],
    [
      "two secrets",
      ...[400, "invalid_request"] as const,
      "Can't supply multiple client credentials. Use one of the following: credentials in the Authorization header, " +
      "credentials in the post body, or a `client_assertion` in the post body.",
    ],
    ["an unknown refresh token", 400, "invalid_grant", "The refresh token is invalid or expired."],
    ["a revoked refresh token", 400, "invalid_grant", "The refresh token is invalid or expired."],
    ["no refresh token", 400, "invalid_request", "The `refresh_token` parameter is required."],
    [
      "a pending device",
      ...[
        400,
        "authorization_pending",
        "The device authorization is pending. Please try again later.",
      ] as const,
    ],
    ["introspect: no token", 400, "invalid_request", "The `token` parameter is required."],
    ["introspect: no client", ...oktaClient],
    ["revoke: no token", 400, "invalid_request", "The `token` parameter is required."],
    ["revoke: no client", ...oktaClient],
    ["device: no client", ...oktaClient],
    ["par: no client", ...oktaClient],
    [
      "par: another response_type",
      ...[
        400,
        "unsupported_response_type",
        "The response type contained in the request isn't supported.",
      ] as const,
    ],
    [
      "par: another response_mode",
      ...[400, "unsupported_response_mode"] as const,
      "The response mode isn't supported by the authorization server. Valid response modes: [`query`, `fragment`, " +
      "`form_post`, `okta_post_message`].",
    ],
  ],
  redirects: {
    access_denied: "The resource owner or authorization server denied the request.",
    login_required: "The client specified not to prompt, but the user is not logged in.",
    unsupported_response_type: "The response type contained in the request isn't supported.",
  },
};
