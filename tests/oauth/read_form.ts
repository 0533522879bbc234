/** Reads the form on a page as a browser would post it. */

import { findAll, readHtml } from "../pages/read_html.ts";

export interface PageForm {
  readonly method: string | undefined;
  readonly action: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** The first form: where it goes and the fields that are filled in already. */
export function readFormOnPage(html: string): PageForm {
  const [form] = findAll(readHtml(html), "form");
  if (form === undefined) throw new Error(`There is no form: ${html.slice(0, 300)}`);
  return {
    method: form.attributes.get("method"),
    action: form.attributes.get("action"),
    fields: findAll(form, "input").map(({ attributes }) =>
      [attributes.get("name") ?? "", attributes.get("value") ?? ""] as const
    ),
  };
}
