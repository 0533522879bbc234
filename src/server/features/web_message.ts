/** Sends the authorization response as a message to the window of the client (OAuth 2.0 Web Message Response Mode). */

import { messagePage } from "../../ground/http/respond.ts";
import { chooseLanguage } from "../oauth/requests/choose_language.ts";
import type { Feature } from "../oauth/contracts/feature.ts";

export function webMessage(): Feature {
  return {
    name: "web_message",
    spec: "OAuth 2.0 Web Message Response Mode",
    responseModes: [{
      name: "web_message",
      reaches: (redirectUri) => findOrigin(redirectUri) !== undefined,
      async respond({ redirectUri }, params, exchange, services) {
        const origin = findOrigin(redirectUri) ?? "null";
        const language = chooseLanguage(exchange, services);
        return messagePage(await services.pages.webMessage({ origin, params }, language), origin);
      },
    }],
  };
}

/** The origin stands in the policy of the page, so it has no signs that separate the parts of a policy. */
function findOrigin(redirectUri: string): string | undefined {
  const { origin } = new URL(redirectUri);
  return /^https?:\/\/[\w.:[\]-]+$/.test(origin) ? origin : undefined;
}
