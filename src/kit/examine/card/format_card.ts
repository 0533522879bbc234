/** Writes a card for people and for programs. */

import { requireOneOf } from "../../mock/terms/wrong_term.ts";
import { visibleLines } from "../../../ground/values/visible.ts";
import { escapeHidden } from "../../../ground/values/hidden_characters.ts";
import type { Card } from "../examine.ts";
import { formatHtml } from "./format_html.ts";
import { formatJunit } from "./format_junit.ts";
import { formatMarkdown } from "./format_markdown.ts";
import { formatSarif } from "./format_sarif.ts";
import { formatText } from "./format_text.ts";
import { keepCard, type KeptCard } from "./kept_card.ts";
import type { CardForm, FormatCardTerms } from "./card_form.ts";
import { createReport, type Report } from "./report.ts";

type Write = (card: Card | KeptCard, terms: FormatCardTerms) => string;

const writers: Readonly<Record<CardForm, Write>> = {
  text: reported((report, terms) => visibleLines(formatText(report, terms))),
  markdown: reported((report) => visibleLines(formatMarkdown(report))),
  json: (card) => `${escapeHidden(JSON.stringify(keepCard(card), null, 2))}\n`,
  junit: reported(formatJunit),
  sarif: reported(formatSarif),
  html: reported(formatHtml),
};

function reported(format: (report: Report, terms: FormatCardTerms) => string): Write {
  return (card, terms) => format(createReport(card, terms), terms);
}

export function formatCard(
  card: Card | KeptCard,
  form: CardForm,
  terms: FormatCardTerms = {},
): string {
  requireOneOf("write the card as", form, Object.keys(writers));
  return writers[form](card, terms);
}
