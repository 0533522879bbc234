/** Loads the pages when the first page is shown, because many servers in tests never show one. */

import type { Asset, Pages } from "../oauth/contracts/pages.ts";
import type { CreatePages, PagesOptions } from "./pages_options.ts";
import { assetNames } from "./asset_names.ts";
import type { PageName, PagesInLanguage } from "./mod.ts";
import { languages } from "./words/languages.ts";
import { remember } from "../../ground/values/remember.ts";

const importPages = () => import("./mod.ts");

/** The files of the pages, which are loaded when the first is read. */
const lazyAssets: readonly Asset[] = assetNames.map((name) => ({
  name,
  read: async () => (await importPages()).assets[name],
}));

export const createLazyPages: CreatePages = ({ frame: loadFrame, ...options }) => {
  const loaded = new Map<string, Promise<CreatePagesInLanguage>>();

  const load = (language: string) => remember(loaded, language, () => loadPages(language));

  function createLazyPage<Name extends PageName>(name: Name): Pages<Promise<string>>[Name] {
    const render = async (props: never, language = "en") => {
      const create = await load(language);
      const frame = await loadFrame?.();
      return create({ ...options, frame: () => frame })[name](props);
    };
    return render as Pages<Promise<string>>[Name];
  }

  return {
    assets: lazyAssets,
    languages,
    clientsUrl: async () => (await loadFrame?.())?.urls.clients,
    home: createLazyPage("home"),
    signIn: createLazyPage("signIn"),
    accounts: createLazyPage("accounts"),
    signOut: createLazyPage("signOut"),
    signedOut: createLazyPage("signedOut"),
    device: createLazyPage("device"),
    ofFeature: createLazyPage("ofFeature"),
    consent: createLazyPage("consent"),
    callback: createLazyPage("callback"),
    walk: createLazyPage("walk"),
    refusal: createLazyPage("refusal"),
    formPost: createLazyPage("formPost"),
    webMessage: createLazyPage("webMessage"),
    resource: createLazyPage("resource"),
  };
};

type CreatePagesInLanguage = (options: PagesOptions) => PagesInLanguage;

async function loadPages(language: string): Promise<CreatePagesInLanguage> {
  const { createPages, loadWords } = await importPages();
  const words = await loadWords(language);
  return (options) => createPages(options, words);
}
