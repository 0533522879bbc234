/** Loads the sheets and scripts that a part of another page needs. */
/// <reference lib="dom" />

import { startScript } from "./start_script.ts";

/** Adds the sheets and scripts of `other` that this document lacks. Resolves when the sheets are there. */
export async function adopt(other: Document): Promise<void> {
  const sheets = [...other.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")]
    .filter(({ href }) => !has("link", "href", href));
  await Promise.all(sheets.map(({ href }) => loadSheet(href)));
  for (const { src } of other.querySelectorAll<HTMLScriptElement>("script[src]")) {
    if (!has("script", "src", src)) startScript(src);
  }
}

function has(name: "link" | "script", attribute: string, url: string): boolean {
  return [...document.querySelectorAll(`${name}[${attribute}]`)].some((each) =>
    new URL(each.getAttribute(attribute)!, location.href).href === url
  );
}

function loadSheet(href: string): Promise<void> {
  const link = document.createElement("link");
  Object.assign(link, { rel: "stylesheet", href });
  document.head.append(link);
  return new Promise((resolve) => {
    // A page without a sheet is better than no page.
    for (const event of ["load", "error"]) link.addEventListener(event, () => resolve(), { once: true });
  });
}
