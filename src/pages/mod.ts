/** The pages: pure functions from props to whole documents. */

import type { Pages, PagesTerms } from "../oauth/pages.ts";
import { accountsPage } from "./accounts.tsx";
import { assets } from "./assets.ts";
import { callbackPage } from "./callback.tsx";
import { consentPage } from "./consent.tsx";
import { createDocument } from "./document.tsx";
import { formPostPage } from "./form_post.tsx";
import { homePage } from "./home.tsx";
import { refusalPage } from "./refusal.tsx";
import { signedOutPage, signOutPage } from "./sign_out.tsx";
import { signInPage } from "./sign_in.tsx";

export function createPages(terms: PagesTerms): Pages<string> {
  const document = createDocument(terms);
  return {
    assets,
    home: (props) => document(homePage(props)),
    signIn: (props) => document(signInPage(props)),
    accounts: (props) => document(accountsPage(props)),
    signOut: (props) => document(signOutPage(props)),
    signedOut: (props) => document(signedOutPage(props)),
    consent: (props) => document(consentPage(props)),
    callback: (props) => document(callbackPage(props)),
    refusal: (props) => document(refusalPage(props)),
    formPost: (props) => document(formPostPage(props)),
  };
}
