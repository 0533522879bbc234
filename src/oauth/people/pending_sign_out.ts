/** A sign-out that somebody still has to confirm: it travels sealed in the form, like a request that waits. */

import { seal, unseal } from "../../crypto/seal.ts";
import { fail } from "../error.ts";
import type { Services } from "../services.ts";
import type { Browser } from "./browser.ts";

export interface PendingSignOut {
  readonly startedAt: number;
  /** Where to go afterwards: verified before it was sealed. */
  readonly continueAt?: string;
}

export type PendingSignOutReason = "sign_out_form_not_ours";

// What is sealed for another purpose does not open here.
const boundTo = (browser: Browser) => `sign-out ${browser.secret}`;

const lifetime = 3600;

export async function sealSignOut(
  pending: PendingSignOut,
  browser: Browser,
  { keys, random }: Services,
): Promise<string> {
  return seal(await keys.sealingKey(), JSON.stringify(pending), boundTo(browser), random);
}

export async function openSignOut(
  sealed: string,
  browser: Browser | undefined,
  { keys, now }: Services,
): Promise<PendingSignOut> {
  const text = browser && unseal(await keys.sealingKey(), sealed, boundTo(browser));
  const pending = text === undefined ? undefined : JSON.parse(text) as PendingSignOut;
  if (pending !== undefined && now() < pending.startedAt + lifetime) return pending;
  return fail<PendingSignOutReason>(
    "invalid_request",
    "This form was not made for this browser by this server",
    {
      reason: "sign_out_form_not_ours",
      status: 403,
      spec: "RFC 9700 §4.7",
      expected: "the form and the cookies of one visit, within an hour",
    },
  );
}
