/** The content of a token that the server has read. */

import type { Claims } from "../../../ground/values/members.ts";
import type { Confirmation } from "./sender.ts";

/** A token that this server issued. The token may have expired, or may have been revoked. */
export interface ReadToken {
  readonly kind: "access_token" | "refresh_token";
  readonly clientId: string;
  /** Absent if the client got the token for itself, without a person. The removal of the client ends such a token. */
  readonly grantId?: string;
  /** The id by which this one token can be revoked. */
  readonly jti?: string;
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  readonly confirmation?: Confirmation;
  /** When the token becomes valid (RFC 7519 §4.1.5). Absent: the token is valid from the start. */
  readonly startsAt?: number;
  readonly expiresAt: number;
  /** When it ends at the latest, if that may be before `expiresAt`: a session ends its refresh tokens. */
  readonly endsAt?: number;
  /** The other issuer that issued the token and has its records in the same store, in words. Then no request may use it. */
  readonly otherIssuer?: string;
  /** The id of the clock that set `expiresAt`, if the store has it. */
  readonly clock?: string;
  readonly claims: Claims;
  /** Set if a newer refresh token has replaced this one. `retriable`: this one is valid until the newer one is used. */
  readonly superseded?: "retriable" | "ended";
}

export type GrantLoss =
  | "grant_revoked"
  | "client_gone"
  | "person_gone"
  | "person_disabled"
  | "password_changed"
  | "scope_removed"
  | "signed_out";

export type TokenLoss =
  | GrantLoss
  | "other_issuer"
  | "early"
  | "expired"
  | "expired_by_test"
  | "replaced"
  | "revoked";
