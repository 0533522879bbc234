/** The pages, loaded when the first of them is looked at: a server inside a test or before an API may never show one. */

import type { CreatePages, Pages } from "../oauth/pages.ts";
import { assets } from "./assets.ts";

type PageName = Exclude<keyof Pages, "assets">;

export const createLazyPages: CreatePages = ({ assetUrl }) => {
  const load = loadOnce(async () => (await import("./mod.ts")).createPages({ assetUrl }));

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

/** Loaded when it is first asked for. What could not be loaded then may be there the next time. */
export function loadOnce<Value>(load: () => Promise<Value>): () => Promise<Value> {
  let loading: Promise<Value> | undefined;
  return () =>
    loading ??= load().catch((error) => {
      loading = undefined;
      throw error;
    });
}
