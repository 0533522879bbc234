/** The addresses of the page on which a person examines an application. */

import type { CardForm } from "../../mock/card/card_form.ts";
import { controlPath } from "../route.ts";

export const examinePath: string = `${controlPath}/examine`;

/** A file with the card that a person can download. */
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

/** Whether the path is the page or one of its files. */
export function isExaminePath(path: string): boolean {
  return path === examinePath || cardFiles.some(({ name }) => path === `${examinePath}/${name}`);
}
