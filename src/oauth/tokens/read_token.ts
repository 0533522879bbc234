/** What the text of a token stands for. */

import type { Claims } from "../members.ts";
import type { Confirmation } from "./sender.ts";

/** A token of ours, alive or not. */
export interface ReadToken {
  readonly kind: "access_token" | "refresh_token";
  readonly clientId: string;
  /** Absent: it lives by its client alone. */
  readonly grantId?: string;
  /** What revokes this one token. */
  readonly jti?: string;
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  /** The key that it is bound to. */
  readonly confirmation?: Confirmation;
  /** Only from then on (RFC 7519 §4.1.5); absent: from the start. */
  readonly startsAt?: number;
  readonly expiresAt: number;
  /** Introspection's members, as far as the token itself says them. */
  readonly claims: Claims;
  /** A refresh token of an earlier generation: known, and good for nothing. */
  readonly superseded?: true;
}
