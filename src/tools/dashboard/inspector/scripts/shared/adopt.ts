/** Loads the sheets and scripts that a part of another page needs. */
/// <reference lib="dom" />

import { load, startScript } from "../../../frame/scripts/shared/start_script.ts";

/** Adds the sheets and scripts of `other` that this document lacks. Resolves when they are there. */
export async function adopt(other: Document): Promise<void> {
  const sheets = [...other.querySelectorAll<HTMLLinkElement>("link[rel=stylesheet]")];
  const scripts = [...other.querySelectorAll<HTMLScriptElement>("script[src]")];
  await Promise.all([
    ...sheets.filter(({ href }) => !has("link", "href", href)).map(({ href }) =>
      load(Object.assign(document.createElement("link"), { rel: "stylesheet", href }))
    ),
    ...scripts.filter(({ src }) => !has("script", "src", src)).map(({ src }) => startScript(src)),
  ]);
}

function has(name: "link" | "script", attribute: string, url: string): boolean {
  return [...document.querySelectorAll(`${name}[${attribute}]`)].some((each) =>
    new URL(each.getAttribute(attribute)!, location.href).href === url
  );
}
