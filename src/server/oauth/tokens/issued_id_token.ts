/** Reads an ID token that a client sends back as a hint. Accepts an expired one (OpenID Connect Core §3.1.2.1). */

import type { Claims } from "../members.ts";
import type { Services } from "../services.ts";
import { hasAccessTokenClaims } from "./access_token.ts";
import { verifyIssuedJwt } from "../../crypto/issued_jwt.ts";
import { present } from "../../values/present.ts";

export interface IssuedIdToken {
  readonly sub: string;
  readonly clientId: string;
  readonly sid?: string;
  /** Absent if a hook has replaced the `jti`. */
  readonly grantId?: string;
  readonly expiresAt: number;
  readonly claims: Claims;
}

export async function readIssuedIdToken(
  text: string,
  services: Services,
): Promise<IssuedIdToken | undefined> {
  const jwt = await verifyIssuedJwt(text, services.keys);
  if (jwt?.typ !== "JWT" || jwt.claims["iss"] !== services.settings.issuer) return undefined;
  // An access token may have the typ JWT, too. The check does not look at the setting `accessTokenType`, because the
  // setting may have changed since the server issued the token.
  if (hasAccessTokenClaims(jwt.claims)) return undefined;
  const { sub, aud, sid, jti, exp } = jwt.claims;
  // A signed userinfo response has the same typ, issuer and audience as an ID token, but no exp.
  if (typeof sub !== "string" || typeof aud !== "string" || typeof exp !== "number") return undefined;
  const [, grantId] = typeof jti === "string" ? /^([^.]+)\./.exec(jti) ?? [] : [];
  return {
    sub,
    clientId: aud,
    ...(typeof sid === "string" ? { sid } : {}),
    ...present({ grantId }),
    expiresAt: exp,
    claims: jwt.claims,
  };
}
