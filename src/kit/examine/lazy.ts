/** Loads the examinations when a test first uses one. */

import type { ExamineApiTerms } from "./examine_api.ts";
import type { Card, ExamineTerms } from "./examine.ts";

/**
 * Runs a client once without a fault, and then once for each misbehaviour. The card says what the client noticed, and
 * shows the requests that prove it.
 */
export async function examine(terms: ExamineTerms): Promise<Card> {
  return await (await import("./examine.ts")).examine(terms);
}

/**
 * Sends every faulty token to an API, and with DPoP every faulty proof. The card says which of them the API accepted.
 */
export async function examineApi(terms: ExamineApiTerms): Promise<Card> {
  return await (await import("./examine_api.ts")).examineApi(terms);
}
