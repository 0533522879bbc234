/** The files with the card that a person can download. */

import type { CardForm } from "../../../../kit/examine/card/card_form.ts";

export interface CardFile {
  readonly name: string;
  readonly label: string;
  readonly form: CardForm;
  readonly type: string;
}

export const cardFiles: readonly CardFile[] = [
  { name: "card.html", label: "HTML", form: "html", type: "text/html; charset=utf-8" },
  { name: "card.md", label: "Markdown", form: "markdown", type: "text/markdown; charset=utf-8" },
  { name: "card.xml", label: "JUnit", form: "junit", type: "application/xml" },
  { name: "card.json", label: "JSON", form: "json", type: "application/json" },
];
