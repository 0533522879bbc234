/** Loads the examination when a test first uses it. */

import type { Card, ExamineTerms } from "./examine.ts";

/**
 * Runs a client once without a fault, and then once for each misbehaviour. The card says what the client noticed, and
 * shows the requests that prove it.
 */
export async function examine(terms: ExamineTerms): Promise<Card> {
  return await (await import("./examine.ts")).examine(terms);
}
