/** Sends the authorization response in a form that the browser posts (OAuth 2.0 Form Post Response Mode). */

import { formPage } from "../../ground/http/respond.ts";
import { chooseLanguage } from "../oauth/requests/choose_language.ts";
import type { Feature } from "../oauth/contracts/feature.ts";

export function formPost(): Feature {
  return {
    name: "form_post",
    spec: "OAuth 2.0 Form Post Response Mode",
    responseModes: [{
      name: "form_post",
      respond: async ({ redirectUri }, params, exchange, services) =>
        formPage(
          await services.pages.formPost({ action: redirectUri, params }, chooseLanguage(exchange, services)),
        ),
    }],
  };
}
