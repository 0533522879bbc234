/** Reads the claims of an ID token, which a test compares (OpenID Connect Core §2). */

import { splitJwt } from "../../crypto/jwt_parts.ts";
import { isJsonObject } from "../../schema/json_object.ts";

/**
 * The claims of an ID token. The types are those of an ID token that no hook has changed, because the test kit does not
 * verify the ID token.
 */
// A type alias, because an interface is not assignable to Record<string, unknown>.
export type IdTokenClaims = {
  readonly iss: string;
  readonly sub: string;
  /** The client id. */
  readonly aud: string | readonly string[];
  /** Seconds since 1970, like `iat` and `auth_time`. */
  readonly exp: number;
  readonly iat: number;
  readonly auth_time?: number;
  readonly nonce?: string;
  readonly acr?: string;
  readonly amr?: readonly string[];
  readonly sid?: string;
  readonly at_hash?: string;
  readonly [name: string]: unknown;
};

/** Returns `undefined` if the text is not a JWT, for example because a hook has replaced it. */
export function readIdTokenClaims(text: unknown): IdTokenClaims | undefined {
  if (typeof text !== "string") return undefined;
  try {
    const { claims } = splitJwt(text);
    return isJsonObject(claims) ? claims as IdTokenClaims : undefined;
  } catch {
    return undefined;
  }
}
