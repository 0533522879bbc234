/** The pages: pure functions from props to whole documents. */

import type { Pages } from "../oauth/contracts/pages.ts";
import type { PagesOptions } from "./pages_options.ts";
import { accountsPage } from "./sign_in/accounts.tsx";
import { assetNames } from "./asset_names.ts";
import { assets } from "./assets.ts";
import { callbackPage } from "./callback/callback.tsx";
import { consentPage } from "./sign_in/consent.tsx";
import { devicePage } from "./sign_in/device.tsx";
import { createDocument, type Page, type PageFile } from "./document.tsx";
import { formPostPage } from "./sign_in/form_post.tsx";
import { homePage } from "./home.tsx";
import { refusalPage } from "./refusal.tsx";
import { resourcePage } from "./resource.tsx";
import { secondFactorPage } from "./sign_in/second_factor.tsx";
import type { SecondFactorProps } from "./sign_in/second_factor_props.ts";
import { signedOutPage, signOutPage } from "./sign_in/sign_out.tsx";
import { signInPage } from "./sign_in/sign_in.tsx";
import { signUpPage } from "./sign_in/sign_up.tsx";
import type { SignUpProps } from "./sign_in/sign_up_props.ts";
import { webMessagePage } from "./sign_in/web_message.tsx";
import { walkPage } from "./callback/walk.tsx";
import { english, type Words } from "./words/english.ts";
import { loadTranslation } from "./words/languages.ts";

export { assets };

/** The pages in one language. Those that no language translates are English. */
export type PagesInLanguage =
  & Pick<Pages<string>, "assets">
  & { readonly [Name in Exclude<PageName, "ofFeature">]: (props: Parameters<Pages[Name]>[0]) => string }
  & { ofFeature(page: FeaturePage): string };

type FeaturePage =
  | { readonly name: "second_factor"; readonly props: SecondFactorProps }
  | { readonly name: "sign_up"; readonly props: SignUpProps };

export type PageName = Exclude<keyof Pages, "assets" | "languages" | "clientsUrl">;

export function createPages(options: PagesOptions, words: Words = english): PagesInLanguage {
  const document = createDocument(options);
  function show<Props>(
    page: (props: Props, words: Words) => Page<PageFile>,
    props: Props,
    shown = words,
  ): string {
    return document(page(props, shown), shown);
  }
  return {
    assets: assetNames.map((name) => ({ name, read: () => assets[name] })),
    home: (props) => show(homePage, { ...props, frame: options.frame?.() }, english),
    signIn: (props) => show(signInPage, { ...props, frame: options.frame?.() }),
    accounts: (props) => show(accountsPage, props),
    signOut: (props) => show(signOutPage, props),
    signedOut: (props) => show(signedOutPage, props),
    device: (props) => show(devicePage, props),
    ofFeature: (page) =>
      page.name === "sign_up" ? show(signUpPage, page.props) : show(secondFactorPage, page.props),
    consent: (props) => show(consentPage, props),
    callback: (props) => show(callbackPage, { ...props, frame: options.frame?.() }, english),
    walk: (props) => show(walkPage, { ...props, frame: options.frame?.() }, english),
    refusal: (props) => show(refusalPage, { ...props, frame: options.frame?.() }),
    formPost: (props) => show(formPostPage, props),
    webMessage: (props) => show(webMessagePage, props),
    resource: (props) => show(resourcePage, props, english),
  };
}

/** Resolves to the words of a language. What it does not translate is English, and so is a language without words. */
export async function loadWords(language: string): Promise<Words> {
  const translation = await loadTranslation(language);
  return translation === undefined ? english : { ...english, ...translation, language };
}
