/** Loads the pages when the first page is shown, because many servers in tests never show one. */

import type { CreatePages, Pages } from "../oauth/pages.ts";
import { assetNames, typeOfAsset } from "./asset_names.ts";
import { languages } from "./words/languages.ts";

type PageName = Exclude<keyof Pages, "assets" | "languages">;

export const createLazyPages: CreatePages = (terms) => {
  let pages: Pages<string> | undefined;

  function createLazyPage<Name extends PageName>(name: Name): Pages<Promise<string>>[Name] {
    const render = async (props: never, language: string) => {
      pages ??= (await import("./mod.ts")).createPages(terms);
      return pages[name](props, language);
    };
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
