/** Loads the pages when the first page is shown, because many servers in tests never show one. */

import type { Pages } from "../oauth/pages.ts";
import type { CreatePages, PagesTerms } from "./pages_terms.ts";
import { assetNames, typeOfAsset } from "./asset_names.ts";
import type { PageName, PagesInLanguage } from "./mod.ts";
import { languages } from "./words/languages.ts";

export const createLazyPages: CreatePages = (terms) => {
  const loaded = new Map<string, Promise<PagesInLanguage>>();

  function load(language: string): Promise<PagesInLanguage> {
    const pages = loaded.get(language) ?? loadPages(language, terms);
    loaded.set(language, pages);
    return pages;
  }

  function createLazyPage<Name extends PageName>(name: Name): Pages<Promise<string>>[Name] {
    const render = async (props: never, language = "en") => (await load(language))[name](props);
    return render as Pages<Promise<string>>[Name];
  }

  return {
    assets: assetNames.map((name) => ({
      name,
      type: typeOfAsset(name),
      read: async () => (await import("./assets.ts")).assets[name],
    })),
    languages,
    home: createLazyPage("home"),
    signIn: createLazyPage("signIn"),
    accounts: createLazyPage("accounts"),
    signOut: createLazyPage("signOut"),
    signedOut: createLazyPage("signedOut"),
    consent: createLazyPage("consent"),
    callback: createLazyPage("callback"),
    walk: createLazyPage("walk"),
    refusal: createLazyPage("refusal"),
    formPost: createLazyPage("formPost"),
    resource: createLazyPage("resource"),
  };
};

async function loadPages(language: string, terms: PagesTerms): Promise<PagesInLanguage> {
  const { createPages } = await import("./mod.ts");
  const { loadWords } = await import("./words/words_in.ts");
  return createPages(terms, await loadWords(language));
}
