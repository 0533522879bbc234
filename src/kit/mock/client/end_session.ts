/** Signs a person out at the server, in the browser in which they signed in (OpenID Connect RP-Initiated Logout 1.0). */

import { textOf } from "../../../ground/http/body.ts";
import { findEncryptedRequest } from "./html.ts";
import { readReceived } from "../journal/explain.ts";
import { refusedBy } from "../journal/refused.ts";
import { requireTerms, types } from "../terms/known_options.ts";
import type { Browser } from "./browser.ts";
import { decryptJwt } from "./decrypt_jwt.ts";
import { type GivenTokens, requireTokens } from "./given_tokens.ts";
import type { RunningTenant } from "../running_tenant.ts";
import { visit } from "./visit.ts";

/** Options of `endSession`. */
export interface EndSessionTerms {
  /** The browser in which the person is signed in. Default: the browser in which `login` got the tokens. */
  readonly browser?: Browser;
}

export async function endSession(
  tokens: GivenTokens,
  terms: EndSessionTerms,
  running: RunningTenant,
): Promise<void> {
  const doing = "end the session";
  running.requireOpen();
  requireTerms(doing, terms, types.EndSessionTerms);
  requireTokens(doing, tokens, "the tokens of a sign-in");
  const recipient = running.recipients.get(tokens);
  const browser = terms.browser ?? recipient?.browser;
  if (browser === undefined) {
    throw new TypeError(
      "Cannot end the session. These tokens did not come from login(), so their browser is not known: " +
        "give { browser }",
    );
  }
  const { id_token: idToken } = tokens;
  const hint = typeof idToken === "string"
    ? `?id_token_hint=${encodeURIComponent(await decryptJwt(idToken, recipient?.decryptionKey))}`
    : "";
  const { baseUrl, paths } = running.services.settings;
  const url = baseUrl + paths.logout;
  const page = await visit(browser, { url: url + hint }, running);
  if (page.answer.status >= 400) {
    throw refusedBy(doing, page.facts, readReceived(page.answer), "the page that asks for a confirmation");
  }
  const encrypted = findEncryptedRequest(textOf(page.answer.body));
  // The page has no encrypted request if the server needs no confirmation.
  if (encrypted === undefined) return;
  const form = [["request", encrypted], ["decision", "sign_out"]] as const;
  const confirmed = await visit(browser, { url, form }, running);
  if (confirmed.answer.status >= 400) throw refusedBy(doing, confirmed.facts, readReceived(confirmed.answer));
}
