/** What a token says, after its text has been read. */

import type { Claims } from "../members.ts";
import type { Confirmation } from "./sender.ts";

/** A token that this server issued. It may be invalid by now. */
export interface ReadToken {
  readonly kind: "access_token" | "refresh_token";
  readonly clientId: string;
  /** Absent for a token that a client got for itself. It is valid while the client exists. */
  readonly grantId?: string;
  /** The id by which this one token can be revoked. */
  readonly jti?: string;
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  /** The key that the token is bound to. */
  readonly confirmation?: Confirmation;
  /** When the token becomes valid (RFC 7519 §4.1.5). Absent: when it is issued. */
  readonly startsAt?: number;
  readonly expiresAt: number;
  /** The claims of the token, which introspection returns. */
  readonly claims: Claims;
  /** Set for a refresh token of an earlier generation, which is not valid any more. */
  readonly superseded?: true;
}
