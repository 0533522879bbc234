/** Escapes text for HTML and XML, in elements and in attributes. */

import { visible } from "../../../server/pages/visible.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Also shows control characters, which XML 1.0 does not allow, as text. Keeps the ends of lines. */
export function escapeMarkup(text: string): string {
  // A single surrogate is not allowed in XML.
  return text.toWellFormed().split("\n").map(visible).join("\n").replace(
    /[&<>"']/g,
    (each) => entities[each]!,
  );
}
