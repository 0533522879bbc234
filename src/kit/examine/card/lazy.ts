/** Loads the formats of a card when a test first writes one. */

import type { Card } from "../examine.ts";
import type { CardForm, FormatCardTerms } from "./card_form.ts";
import type { KeptCard } from "./kept_card.ts";

/** Writes a card, without secrets, and without times that differ between two runs. */
export async function formatCard(
  card: Card | KeptCard,
  form: CardForm,
  terms: FormatCardTerms = {},
): Promise<string> {
  return (await import("./format_card.ts")).formatCard(card, form, terms);
}
