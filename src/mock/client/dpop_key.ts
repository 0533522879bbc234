/** The key of a client that uses DPoP (RFC 9449). */

import type { Jwk } from "../../crypto/jwk.ts";
import type { SigningKey } from "../../crypto/jwt.ts";

/** `true` for a new key, or the private JWK. `false` for no DPoP. */
export type DpopTerm = boolean | Jwk;

export interface DpopKey {
  readonly key: SigningKey;
  /** The latest nonce of each origin, which the client sends there next (RFC 9449 §8.2). */
  readonly nonces: Map<string, string>;
}
