/** The sender of a request, and the key that the sender proved to hold (RFC 7800). */

/** The key that a token is bound to. */
export interface Confirmation {
  /** The member of the claim `cnf` that has the thumbprint: "jkt". */
  readonly method: string;
  readonly thumbprint: string;
}

export interface Sender {
  /** The token_type of the sender's tokens, which is also the scheme that presents them: "Bearer", "DPoP". */
  readonly tokenType: string;
  /** Absent: the sender proved no key. */
  readonly confirmation?: Confirmation;
  /**
   * Whether refresh tokens are bound to the key as well. Those of a confidential client are not, because the client
   * authenticates and may change its key (RFC 9449 §5, RFC 8705 §4).
   */
  readonly bindsRefresh: boolean;
}

/** A sender without a proof. Its tokens are not bound, so any holder can use them (RFC 6750 §1.2). */
export const bearer: Sender = { tokenType: "Bearer", bindsRefresh: false };
