/** Reads an ID token that a client sends back as a hint. It may have expired (OpenID Connect Core §3.1.2.1). */

import type { Services } from "../services.ts";
import { hasAccessTokenClaims } from "./access_token.ts";
import { verifyIssuedJwt } from "./issued_jwt.ts";

export interface IssuedIdToken {
  readonly sub: string;
  readonly clientId: string;
  readonly sid?: string;
}

export async function readIssuedIdToken(
  text: string,
  services: Services,
): Promise<IssuedIdToken | undefined> {
  const jwt = await verifyIssuedJwt(text, services.keys);
  if (jwt?.typ !== "JWT" || jwt.claims["iss"] !== services.settings.issuer) return undefined;
  // The setting may have changed: access tokens with this typ may have been issued before a restart.
  if (hasAccessTokenClaims(jwt.claims)) return undefined;
  const { sub, aud, sid, exp } = jwt.claims;
  // Signed userinfo looks similar, but has no exp.
  if (typeof sub !== "string" || typeof aud !== "string" || typeof exp !== "number") return undefined;
  return { sub, clientId: aud, ...(typeof sid === "string" ? { sid } : {}) };
}
