/** The pages, loaded when the first of them is looked at: a server inside a test or before an API may never show one. */

import type { CreatePages, Pages } from "../oauth/pages.ts";
import { assets } from "./assets.ts";

type PageName = Exclude<keyof Pages, "assets">;

export const createLazyPages: CreatePages = ({ assetUrl }) => {
  let loading: Promise<Pages<string>> | undefined;

  function load(): Promise<Pages<string>> {
    return loading ??= import("./mod.ts").then(({ createPages }) => createPages({ assetUrl }));
  }

  function later<Name extends PageName>(name: Name): Pages<Promise<string>>[Name] {
    const draw = async (props: never) => (await load())[name](props);
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
