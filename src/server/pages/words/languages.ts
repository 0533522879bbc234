/**
 * The languages of the pages of a sign-in and of refusals, by their BCP 47 tags. A new language is one file beside
 * `en.json` and one line here. A server reads the tags before it shows a page, so the words are loaded later.
 */

import type { PeopleWords } from "./english.ts";

const translations = {
  de: () => import("./de.json", { with: { type: "json" } }),
} satisfies Readonly<Record<string, Translation>>;

type Translation = () => Promise<{ readonly default: PeopleWords }>;

export const languages: readonly ["en", ...string[]] = ["en", ...Object.keys(translations)];

/** Resolves to the words of one of `languages`, or to `undefined` for English, whose words all pages have. */
export async function loadTranslation(language: string): Promise<PeopleWords | undefined> {
  const load = new Map<string, Translation>(Object.entries(translations)).get(language);
  return (await load?.())?.default;
}
