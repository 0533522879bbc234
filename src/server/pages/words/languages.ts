/** The languages of sign-in pages and refusals, as BCP 47 tags. A new one is a file beside `en.json` and a line here. */

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
