/** A sign-out that a person has to confirm. The form carries the sign-out encrypted, so the server stores nothing. */

import { decryptText, encryptText } from "../../crypto/encrypted_text.ts";
import { timeFor } from "../../oauth/clock_skew.ts";
import type { Services } from "../../oauth/feature.ts";
import type { Browser } from "../../oauth/people/browser.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";

export interface PendingSignOut {
  readonly startedAt: number;
  /** The id of the clock that set `startedAt`. */
  readonly clock?: string;
  /** The verified URI that the browser is redirected to after the sign-out. */
  readonly continueAt?: string;
  readonly uiLocales?: string;
}

const refusal = refusals({
  sign_out_form_not_ours: {
    error: "invalid_request",
    status: 403,
    spec: "RFC 9700 §4.7",
    sentence: "This server did not create this form for this browser",
    expected: "a form that is less than an hour old, and the cookies that came with the form",
    change: "Allow cookies, and open the sign-out again in the same browser.",
  },
});

export const refused: RefusalRows = refusal.rows;

// The purpose is part of the encryption, so a text that was encrypted for another purpose does not open here.
const boundTo = (browser: Browser) => `sign-out ${browser.secret}`;

// In seconds.
const lifetime = 3600;

export async function encryptSignOut(
  pending: PendingSignOut,
  browser: Browser,
  { keys, random }: Services,
): Promise<string> {
  return encryptText(await keys.encryptionKey(), JSON.stringify(pending), boundTo(browser), random);
}

/** Opens the encrypted sign-out of a form. Throws if the form is too old or was not created for this browser. */
export async function openSignOut(
  encrypted: string,
  browser: Browser | undefined,
  services: Services,
): Promise<PendingSignOut> {
  const text = browser && decryptText(await services.keys.encryptionKey(), encrypted, boundTo(browser));
  const pending = text === undefined ? undefined : JSON.parse(text) as PendingSignOut;
  if (pending !== undefined && timeFor(pending, services) < pending.startedAt + lifetime) return pending;
  throw refusal("sign_out_form_not_ours");
}
