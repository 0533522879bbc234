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
import type { Words } from "./words/english.ts";
import { languages } from "./words/languages.ts";
import { wordsIn } from "./words/words_in.ts";

/** Returns what the sign-in page shows of a dashboard, if the server has one. */
function describePeople(
  { frame }: PagesTerms,
  { here }: SignInProps,
): Pick<SignInProps, "addPersonUrl" | "peopleFile"> {
  const { addPersonUrl, peopleFile } = frame?.() ?? {};
  return {
    ...(addPersonUrl === undefined ? {} : { addPersonUrl: addPersonUrl(here) }),
    ...(peopleFile === undefined ? {} : { peopleFile }),
  };
}

export function createPages(terms: PagesTerms): Pages<string> {
  const document = createDocument(terms);
  function show<Props>(page: (props: Props, words: Words) => Page, props: Props, language: string): string {
    const words = wordsIn(language);
    return document(page(props, words), words);
  }
  return {
    assets: assetNames.map((name) => ({ name, type: typeOfAsset(name), read: () => assets[name] })),
    languages,
    home: (props, language) => show(homePage, { ...props, ...describeDashboard(terms.frame?.()) }, language),
    signIn: (props, language) => show(signInPage, { ...props, ...describePeople(terms, props) }, language),
    accounts: (props, language) => show(accountsPage, props, language),
    signOut: (props, language) => show(signOutPage, props, language),
    signedOut: (props, language) => show(signedOutPage, props, language),
    consent: (props, language) => show(consentPage, props, language),
    callback: (props, language) => show(callbackPage, props, language),
    walk: (props, language) => show(walkPage, props, language),
    refusal: (props, language) => show(refusalPage, props, language),
    formPost: (props, language) => show(formPostPage, props, language),
    resource: (props, language) => show(resourcePage, props, language),
  };
}

/** Returns what the front page shows of a dashboard, if the server has one. */
function describeDashboard(frame: Frame | undefined): Pick<HomeProps, "dashboard"> {
  if (frame === undefined) return {};
  const findUrl = (name: FrameLinkName) => frame.links.find((link) => link.name === name)?.href;
  const [playgroundUrl, inspectorUrl] = [findUrl("playground"), findUrl("inspector")];
  return {
    dashboard: {
      ...(playgroundUrl === undefined ? {} : { playgroundUrl }),
      ...(inspectorUrl === undefined ? {} : { inspectorUrl }),
      recent: frame.recent(),
      snippets: frame.snippets?.() ?? [],
    },
  };
}
