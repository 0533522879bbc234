/** Reads a page's form as a browser would post it. */

import { type Element, findAll, readHtml } from "../pages/read_html.ts";

export interface PageForm {
  readonly method: string | undefined;
  readonly action: string | undefined;
  readonly fields: readonly (readonly [name: string, value: string])[];
}

/** The action and the fields with their values, of the page's first form. */
export function readFormOnPage(html: string): PageForm {
  const [form] = findAll(readHtml(html), "form");
  if (form === undefined) throw new Error(`The page has no form: ${html.slice(0, 300)}`);
  return {
    method: form.attributes.get("method"),
    action: form.attributes.get("action"),
    fields: readFields(form),
  };
}

function readFields(element: Element): PageForm["fields"] {
  return findAll(element, "input").map(({ attributes }) =>
    [attributes.get("name") ?? "", attributes.get("value") ?? ""] as const
  );
}

/** The origin to which a page sends a message, and the parameters in the message. */
export function readMessageOnPage(
  html: string,
): { readonly origin: string | undefined; readonly params: PageForm["fields"] } {
  const message = findAll(readHtml(html), "div").find(({ attributes }) => attributes.has("data-origin"));
  if (message === undefined) throw new Error(`The page has no message: ${html.slice(0, 300)}`);
  return { origin: message.attributes.get("data-origin"), params: readFields(message) };
}
