/** Options of `rotateKeys`. @example { "atOnce": false } */
export interface RotateKeysTerms {
  /**
   * true: the new keys sign immediately, so a client that caches the JWKS meets an unknown `kid`. false: the new keys are
   * published now and sign 130 seconds later, when caches have them. Default: true.
   */
  readonly atOnce?: boolean;
}
