/** Finds the login of a code or a token that a person has pasted. */

import { type JwtParts, parseJwt } from "../../ground/crypto/jwt_parts.ts";
import type { Services } from "../../server/oauth/contracts/feature.ts";
import { isCredential } from "../../server/oauth/secrets/credential.ts";
import { findGrantByCode, type GrantByCode } from "../../server/oauth/tokens/check_grant.ts";
import { findToken, type LiveToken } from "../../server/oauth/tokens/find_token.ts";
import { nameKind } from "./playground/name_kind.ts";
import { unwrap } from "./playground/pasted_text.ts";

export interface FoundCredential {
  /** The id of its login. Absent if no person has signed in for it. */
  readonly flow: string | undefined;
  readonly found: { readonly code: GrantByCode } | { readonly token: LiveToken["token"] };
}

/** Finds a code, or a token that is no JWT. Returns `undefined` if the server knows none with this text. */
export async function findCredential(text: string, services: Services): Promise<FoundCredential | undefined> {
  const code = await findGrantByCode(text, services);
  if (code !== undefined) return { flow: code.id, found: { code } };
  const token = await findToken(text, undefined, services);
  return token && { flow: token.grantId, found: { token } };
}

/** Returns the login of an access token. The signature is not checked: a misbehaviour may have made it wrong. */
export function flowOfJwt(parts: JwtParts, issuer: string): string | undefined {
  const { jti } = parts.claims;
  return typeof jti === "string" && nameKind(parts, issuer) === "access_token"
    ? /^([\w-]{22})\./.exec(jti)?.[1]
    : undefined;
}

/** Returns the id of the login. A text of another form than that of a code or a token costs no look into the store. */
export async function findLogin(pasted: string, services: Services): Promise<string | undefined> {
  const text = unwrap(pasted);
  if (isCredential(text)) return (await findCredential(text, services))?.flow;
  const parts = parseJwt(text);
  return parts && flowOfJwt(parts, services.settings.issuer);
}
