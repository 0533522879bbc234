/** Loads the examinations when a test first uses one. */

import type { CardForm, FormatCardTerms } from "./card/card_form.ts";
import { present } from "../../ground/values/present.ts";
import { findCaller } from "./card/source_lines.ts";
import type { KeptCard } from "./card/kept_card.ts";
import type { ExamineApiTerms } from "./examine_api_terms.ts";
import type { Card, ExamineTerms } from "./examine.ts";

const importExaminations = () => import("./examinations.ts");

/**
 * Runs a client once without a fault, and then once for each misbehaviour. The card says what the client noticed, and
 * shows the requests that prove it.
 */
export async function examine(terms: ExamineTerms): Promise<Card> {
  const driver = findCaller(new Error().stack);
  return { ...await (await importExaminations()).examine(terms), ...present({ driver }) };
}

/**
 * Sends every faulty token to an API, and with DPoP every faulty proof. The card says which of them the API accepted.
 */
export async function examineApi(terms: ExamineApiTerms): Promise<Card> {
  const driver = findCaller(new Error().stack);
  return { ...await (await importExaminations()).examineApi(terms), ...present({ driver }) };
}

/** Writes a card, without secrets, and without times that differ between two runs. */
export async function formatCard(
  card: Card | KeptCard,
  form: CardForm,
  terms: FormatCardTerms = {},
): Promise<string> {
  return (await importExaminations()).formatCard(card, form, terms);
}
