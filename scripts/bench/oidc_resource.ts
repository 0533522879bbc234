/** The API that the peer `oidc-provider` makes tokens for, the same wherever it is measured. */
import { scopes } from "./clients.ts";

export const resource = "https://api.example";
/** Seconds, of all that it gives. */
export const lifetime = 3600;

/** Whatever is asked for: its access tokens are JWTs. */
export function describeResource(alg: string): Readonly<Record<string, unknown>> {
  return {
    scope: scopes.api,
    audience: resource,
    accessTokenTTL: lifetime,
    accessTokenFormat: "jwt",
    jwt: { sign: { alg } },
  };
}
