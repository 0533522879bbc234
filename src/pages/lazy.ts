/** The pages, loaded when the first of them is shown: many servers in tests never show one. */

import type { CreatePages, Pages } from "../oauth/pages.ts";
import { assets } from "./assets.ts";

type PageName = Exclude<keyof Pages, "assets">;

export const createLazyPages: CreatePages = ({ assetUrl }) => {
  let pages: Pages<string> | undefined;

  function later<Name extends PageName>(name: Name): Pages<Promise<string>>[Name] {
    const draw = async (props: never) => {
      pages ??= (await import("./mod.ts")).createPages({ assetUrl });
      return pages[name](props);
    };
    return draw as Pages<Promise<string>>[Name];
  }

  return {
    assets,
    home: later("home"),
    signIn: later("signIn"),
    accounts: later("accounts"),
    signOut: later("signOut"),
    signedOut: later("signedOut"),
    consent: later("consent"),
    callback: later("callback"),
    refusal: later("refusal"),
    formPost: later("formPost"),
  };
};
