/** The API that the peer `oidc-provider` issues tokens for, the same in each of its programs. */
import { scopes } from "./clients.ts";

export const resource = "https://api.example";
/** Seconds that its tokens and sessions are valid. */
export const lifetime = 3600;

/** Its access tokens are JWTs. */
export function describeResource(alg: string): Readonly<Record<string, unknown>> {
  return {
    scope: scopes.api,
    audience: resource,
    accessTokenTTL: lifetime,
    accessTokenFormat: "jwt",
    jwt: { sign: { alg } },
  };
}
