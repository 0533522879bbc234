/**
 * Completes a page that was loaded without the passes of this tab, and then starts its other scripts. Keeps the passes of
 * a page that has them. Without this script, the forms of the pages carry the passes.
 */
/// <reference lib="dom" />

import { startScript } from "./shared/start_script.ts";
import { keepPasses, readPage, readPasses, requestPage } from "./shared/tab.ts";

const { pass: state, address } = document.body.dataset;

if (state === "carried") {
  const fields = document.querySelectorAll<HTMLInputElement>("#carry input[name=pass]");
  keepPasses([...fields].map(({ value }) => value));
  location.replace(address!);
} else {
  const scripts = await complete().catch(() => []);
  // Shows the page, which the stylesheet hides meanwhile.
  delete document.body.dataset["pass"];
  if (location.hash !== "") {
    document.getElementById(decodeURIComponent(location.hash.slice(1)))?.scrollIntoView();
  }
  const preloaded = [...document.querySelectorAll<HTMLLinkElement>("link[rel=modulepreload]")];
  for (const src of new Set([...preloaded.map(({ href }) => href), ...scripts])) void startScript(src);
}

/**
 * Replaces the content of the page by what the passes show, and returns the scripts of that page. An answer of any status
 * is a page, if the passes are right.
 */
async function complete(): Promise<readonly string[]> {
  if (readPasses().length === 0) return [];
  const fresh = await readPage(await requestPage(location.href));
  if (fresh.body.dataset["pass"] !== "given") return [];
  document.title = fresh.title;
  document.querySelector("main")!.replaceChildren(...fresh.querySelector("main")!.childNodes);
  return [...fresh.querySelectorAll<HTMLScriptElement>("script[src]")].map(({ src }) => src);
}
