/** The grant: everything that must change together for one authorization, in one record behind conditional puts. */

import type { Kind } from "../../store/store.ts";
import type { RequestedClaims } from "../people/claims.ts";
import type { SessionRef } from "../people/session.ts";
import type { RefreshChain } from "./refresh_chain.ts";
import type { Confirmation } from "./sender.ts";

/** One authorization, from the approval to its end. */
export interface Grant {
  readonly status: "approved" | "active" | "revoked";
  readonly clientId: string;
  readonly clientEpoch: string;
  readonly subject: string;
  /** The sign-in that it lives by, unless it may outlive that. */
  readonly session?: SessionRef;
  /** Of the password that the person had when the grant was approved. */
  readonly passwordMark?: string;
  readonly scope: readonly string[];
  readonly resource: readonly string[];
  /** Absent where nobody signed in: a client acts for itself. */
  readonly authTime?: number;
  readonly amr: readonly string[];
  readonly acr?: string;
  readonly nonce?: string;
  /** The `claims` parameter (OpenID Connect Core §5.5). */
  readonly claims?: RequestedClaims;
  readonly refresh?: RefreshChain;
  /** Kept after its use, so that a second use is recognised. */
  readonly code?: GrantCode;
  readonly redeemedAt?: number;
}

/** A request that was denied. It takes the grant's id, so that no form of the request can be approved any more. */
export interface Denial {
  readonly status: "denied";
  readonly clientId: string;
}

/** The code of a grant, and what a redemption must repeat or prove. */
export interface GrantCode {
  readonly hash: string;
  readonly challenge?: string;
  /** The key that the code is bound to (RFC 9449 §10). */
  readonly confirmation?: Confirmation;
  readonly redirectUri: string;
  readonly expiresAt: number;
}

/** A request that a person approved. */
export interface Approval {
  readonly grantId: string;
  /** Without the credential that it is redeemed with. */
  readonly grant: Grant;
}

export const grants: Kind<Grant | Denial> = { name: "grant" };
