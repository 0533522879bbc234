/** The types for tokens that a client exchanges for other tokens (RFC 8693). */

import type { Client } from "./client.ts";
import type { Exchange } from "./exchange.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { Redemption } from "./redemption.ts";
import type { Confirmation } from "./sender.ts";

export interface PresentedForExchange {
  readonly param: "subject_token" | "actor_token";
  readonly text: string;
  readonly type: string;
  readonly client: Client;
  readonly exchange: Exchange;
}

/** A valid token, and what a new token in exchange for it is issued for. */
export interface ExchangeableToken {
  /** The client that got the token, or the issuer of a foreign token. */
  readonly origin: string;
  /** The scope that a new token may have. */
  readonly scope: readonly string[];
  readonly audience: readonly string[];
  readonly confirmation?: Confirmation;
  /** When the token expires. No token in exchange for it lives longer. */
  readonly expiresAt: number;
  /** The claims that name the subject or the actor: `iss`, `sub`, `client_id`, `act`, `may_act` (RFC 8693 §4). */
  readonly claims: Claims;
  /**
   * The grant that new tokens belong to: that of the token, unstored, so that they end with it, or a new one for the
   * person. Without an id, new tokens are for the `subject`.
   */
  readonly issuedFor: Pick<
    Redemption,
    "grantId" | "grant" | "replaces" | "keepUntil" | "useUp" | "subject" | "exchangedClaims"
  >;
}
