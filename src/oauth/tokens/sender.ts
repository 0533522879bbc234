/** The sender of a request, as far as it proved to hold a key (RFC 7800). */

/** The key that a token is bound to. */
export interface Confirmation {
  /** The member of the claim `cnf`: "jkt". */
  readonly method: string;
  readonly thumbprint: string;
}

export interface Sender {
  /** What the tokens that it gets are called: "Bearer", "DPoP". Also the scheme that presents them. */
  readonly tokenType: string;
  /** Absent: it proved no key. */
  readonly confirmation?: Confirmation;
  /**
   * Its refresh tokens are bound to the key as well. Those of a confidential client are not: it authenticates, and may
   * change its key (RFC 9449 §5, RFC 8705 §4).
   */
  readonly bindsRefresh: boolean;
}

/** Without a proof a token is good for everyone who holds it (RFC 6750 §1.2). */
export const bearer: Sender = { tokenType: "Bearer", bindsRefresh: false };
