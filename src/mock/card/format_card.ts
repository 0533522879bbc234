/** Writes a card for people and for programs. */

import { describeValue } from "../../schema/received.ts";
import type { Card } from "../examine/examine.ts";
import { formatHtml } from "./format_html.ts";
import { formatJunit } from "./format_junit.ts";
import { formatMarkdown } from "./format_markdown.ts";
import { formatText } from "./format_text.ts";
import { keepCard, type KeptCard } from "./kept_card.ts";
import { type CardForm, cardForms, type FormatCardTerms } from "./card_form.ts";
import { createReport, type Report } from "./report.ts";

const writers: Readonly<
  Record<Exclude<CardForm, "json">, (report: Report, terms: FormatCardTerms) => string>
> = {
  text: formatText,
  markdown: formatMarkdown,
  junit: formatJunit,
  html: formatHtml,
};

export function formatCard(
  card: Card | KeptCard,
  form: CardForm,
  terms: FormatCardTerms = {},
): string {
  if (!cardForms.includes(form)) {
    throw new TypeError(
      `Cannot write the card as ${describeValue(form)}: expected one of ${cardForms.join(", ")}`,
    );
  }
  if (form === "json") return `${JSON.stringify(keepCard(card), null, 2)}\n`;
  return writers[form](createReport(card, terms.baseline), terms);
}
