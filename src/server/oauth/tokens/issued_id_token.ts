/** Reads an ID token that a client sends back as a hint. Accepts an expired one (OpenID Connect Core §3.1.2.1). */

import type { Claims } from "../../../ground/values/members.ts";
import type { Services } from "../contracts/feature.ts";
import { findGrant, findOtherIssuer } from "./check_grant.ts";
import { hasAccessTokenClaims } from "./access_token_claims.ts";
import { verifyIssuedJwt } from "../../../ground/crypto/issued_jwt.ts";
import { present } from "../../../ground/values/present.ts";
import { isEncryptedJwt } from "../../../ground/crypto/jwt_parts.ts";
import { fail, type RefusalRows, refusals } from "../contracts/refusals.ts";

const refusal = refusals({
  error: "invalid_request",
  spec: "OpenID Connect Core §3.1.2.1, RP-Initiated Logout §2",
}, {
  hint_not_ours: {
    sentence: "The id_token_hint was not issued here",
    change: "Send an ID token that this server issued as id_token_hint, or leave it out.",
  },
  hint_encrypted: {
    sentence: "The id_token_hint is encrypted, and only the client can decrypt it",
    change: "Decrypt the ID token, and send the signed ID token that is inside of it.",
  },
});

export const refused: RefusalRows = refusal.rows;

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
  const { issuer, takesIssuer } = services.settings;
  const iss = jwt?.claims["iss"];
  if (jwt?.typ !== "JWT" || iss !== issuer && !takesIssuer?.(iss)) return undefined;
  // An access token may have the typ JWT, too. The check does not look at the setting `accessTokenType`, because the
  // setting may have changed since the server issued the token.
  if (hasAccessTokenClaims(jwt.claims)) return undefined;
  const { sub, aud, sid, jti, exp } = jwt.claims;
  // A signed userinfo response has the same typ, issuer and audience as an ID token, but no exp.
  if (typeof sub !== "string" || typeof aud !== "string" || typeof exp !== "number") return undefined;
  const [, grantId] = typeof jti === "string" ? /^([^.]+)\./.exec(jti) ?? [] : [];
  if (iss !== issuer && !await isGrantedHere(grantId, services)) return undefined;
  return {
    sub,
    clientId: aud,
    ...present({ sid: typeof sid === "string" ? sid : undefined, grantId }),
    expiresAt: exp,
    claims: jwt.claims,
  };
}

/** Two tenants of a provider may have the same keys. A grant that has ended says nothing. */
async function isGrantedHere(grantId: string | undefined, services: Services): Promise<boolean> {
  const grant = grantId === undefined ? undefined : await findGrant(grantId, services);
  return grant === undefined || findOtherIssuer(grant.value, services) === undefined;
}

/** `spec` is the rule by which the caller takes a hint. A refusal names it. */
export async function readIdTokenHint(
  text: string,
  spec: string,
  services: Services,
): Promise<IssuedIdToken> {
  if (isEncryptedJwt(text)) throw refusal("hint_encrypted", { spec });
  return await readIssuedIdToken(text, services) ?? fail(refusal("hint_not_ours", { spec }));
}
