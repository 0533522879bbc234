/** Loads the sheets and scripts that a part of another page needs. */
/// <reference lib="dom" />

import { load, startScript } from "../../../frame/scripts/shared/start_script.ts";

/** Adds the sheets and scripts of `other` that this document lacks. Resolves when they are there. */
export async function adopt(other: Document): Promise<void> {
  const known = new Set(listFiles(document).map(urlOf));
  const missing = listFiles(other).filter((each) => !known.has(urlOf(each)));
  // A script that the browser has not parsed as part of this document would not run.
  await Promise.all(missing.map((each) => "href" in each ? load(each) : startScript(each.src)));
}

function listFiles(page: Document): readonly (HTMLLinkElement | HTMLScriptElement)[] {
  return [...page.querySelectorAll<HTMLLinkElement | HTMLScriptElement>("link[rel=stylesheet], script[src]")];
}

function urlOf(file: HTMLLinkElement | HTMLScriptElement): string {
  return "href" in file ? file.href : file.src;
}
