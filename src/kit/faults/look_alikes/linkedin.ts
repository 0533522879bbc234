/** LinkedIn, as it answers applications that log members in with OpenID Connect. */

import { cancelsAuthorization, forgoesPkce, secretInForm, sendsNoIss } from "./differences.ts";
import { type LookAlike, pagesOf } from "./look_alike.ts";

const page = pagesOf("https://learn.microsoft.com/en-us/linkedin/");
const codeFlow = page(
  "Authorization Code Flow (3-legged OAuth)",
  "shared/authentication/authorization-code-flow",
);
const signIn = page(
  "Sign In with LinkedIn using OpenID Connect",
  "consumer/integrations/self-serve/sign-in-with-linkedin-v2",
);
const configuration = page(
  "The OpenID configuration of LinkedIn",
  "https://www.linkedin.com/oauth/.well-known/openid-configuration",
);
const refreshTokens = page(
  "Programmatic refresh tokens",
  "shared/authentication/programmatic-refresh-tokens",
);

export const linkedin: LookAlike = {
  addresses(host) {
    const base = `https://${host}/oauth`;
    return {
      issuer: base,
      endpoints: [
        { url: `${base}/.well-known/openid-configuration`, is: "metadata", source: configuration },
        { url: `${base}/v2/authorization`, is: "authorize", source: codeFlow },
        { url: `${base}/v2/accessToken`, is: "token", source: codeFlow },
        { url: `${base}/openid/jwks`, is: "jwks", source: configuration },
        { url: "https://api.linkedin.com/v2/userinfo", is: "userinfo", source: signIn },
      ],
    };
  },
  lax: [forgoesPkce(codeFlow), secretInForm(codeFlow)],
  differences: [
    sendsNoIss(codeFlow),
    cancelsAuthorization(codeFlow),
    {
      server: "The token response has no refresh token, which LinkedIn gives to chosen partners only.",
      source: refreshTokens,
      same: "token_response.refresh_token_missing",
    },
  ],
  leftOut: [
    "The error user_cancelled_login, which says that the member did not sign in.",
    "Refresh tokens of partners, and the member refresh_token_expires_in.",
    "The introspection of tokens, whose answers have other members.",
    "The lifetimes, which stay those of this server, and other paths of `api.linkedin.com`.",
  ],
};
