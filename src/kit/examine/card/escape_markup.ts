/** Escapes text for HTML and XML, in elements and in attributes. */

import { visibleLines } from "../../../ground/values/visible.ts";

const entities: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

/** Also shows control characters and single surrogates, which XML 1.0 does not allow, as text. Keeps the ends of lines. */
export function escapeMarkup(text: string): string {
  return visibleLines(text).replace(
    /[&<>"']/g,
    (each) => entities[each]!,
  );
}
