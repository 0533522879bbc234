/** Reads the options of `rotateKeys`. */

import { requireKnownTerms, termsOf } from "../terms/known_terms.ts";

/** Options of `rotateKeys`. */
export interface RotateKeysTerms {
  /**
   * true: the new keys sign immediately, so a client that caches the JWKS meets an unknown `kid`. false: the new keys are
   * published now and sign 130 seconds later, when caches have them. Default: true.
   */
  readonly atOnce?: boolean;
}

const rotateKeysTerms = termsOf<RotateKeysTerms>({ atOnce: true });

export function readRotateKeysTerms(terms: RotateKeysTerms): Required<RotateKeysTerms> {
  requireKnownTerms("rotate keys", terms, rotateKeysTerms);
  const { atOnce = true } = terms;
  return { atOnce };
}
