/** The pages: pure functions from props to whole documents. */

import type { Frame, FrameLinkName, HomeProps, Pages, PagesTerms, SignInProps } from "../oauth/pages.ts";
import { accountsPage } from "./sign_in/accounts.tsx";
import { assetNames, typeOfAsset } from "./asset_names.ts";
import { assets } from "./assets.ts";
import { callbackPage } from "./callback/callback.tsx";
import { consentPage } from "./sign_in/consent.tsx";
import { createDocument, type Page } from "./document.tsx";
import { formPostPage } from "./sign_in/form_post.tsx";
import { homePage } from "./home.tsx";
import { refusalPage } from "./refusal.tsx";
import { resourcePage } from "./resource.tsx";
import { signedOutPage, signOutPage } from "./sign_in/sign_out.tsx";
import { signInPage } from "./sign_in/sign_in.tsx";
import { walkPage } from "./callback/walk.tsx";
import { english, type Words } from "./words/english.ts";
import { present } from "../present.ts";

/** Returns what the sign-in page shows of a dashboard, if the server has one. */
function describePeople(
  { frame }: PagesTerms,
  { here }: SignInProps,
): Pick<SignInProps, "addPersonUrl" | "peopleFile"> {
  const { addPersonUrl, peopleFile } = frame?.() ?? {};
  return {
    ...(addPersonUrl === undefined ? {} : { addPersonUrl: addPersonUrl(here) }),
    ...present({ peopleFile }),
  };
}

/** The pages in one language. Those that no language translates are English. */
export type PagesInLanguage =
  & Pick<Pages<string>, "assets">
  & {
    readonly [Name in PageName]: (props: Parameters<Pages[Name]>[0]) => string;
  };

export type PageName = Exclude<keyof Pages, "assets" | "languages">;

export function createPages(terms: PagesTerms, words: Words = english): PagesInLanguage {
  const document = createDocument(terms);
  function show<Props>(
    page: (props: Props, words: Words) => Page,
    props: Props,
    shown: Words = words,
  ): string {
    return document(page(props, shown), shown);
  }
  return {
    assets: assetNames.map((name) => ({ name, type: typeOfAsset(name), read: () => assets[name] })),
    home: (props) => show(homePage, { ...props, ...describeDashboard(terms.frame?.()) }, english),
    signIn: (props) => show(signInPage, { ...props, ...describePeople(terms, props) }),
    accounts: (props) => show(accountsPage, props),
    signOut: (props) => show(signOutPage, props),
    signedOut: (props) => show(signedOutPage, props),
    consent: (props) => show(consentPage, props),
    callback: (props) => show(callbackPage, props, english),
    walk: (props) => show(walkPage, props, english),
    refusal: (props) => show(refusalPage, props),
    formPost: (props) => show(formPostPage, props),
    resource: (props) => show(resourcePage, props, english),
  };
}

/** Returns what the front page shows of a dashboard, if the server has one. */
function describeDashboard(frame: Frame | undefined): Pick<HomeProps, "dashboard"> {
  if (frame === undefined) return {};
  const findUrl = (name: FrameLinkName) => frame.links.find((link) => link.name === name)?.href;
  const [playgroundUrl, inspectorUrl] = [findUrl("playground"), findUrl("inspector")];
  return {
    dashboard: {
      ...present({ playgroundUrl, inspectorUrl }),
      recent: frame.recent(),
      snippets: frame.snippets?.() ?? [],
    },
  };
}
