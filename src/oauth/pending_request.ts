/** The authorization request while people decide: it travels sealed in the form, and nothing is stored before a yes. */

import { seal, unseal } from "../crypto/seal.ts";
import { fail } from "./error.ts";
import { createId } from "./credential.ts";
import { createParams, type Params } from "./params.ts";
import type { Services } from "./services.ts";
import type { Browser } from "./session.ts";

export interface PendingRequest {
  /** The parameters as they came: every form that returns is parsed and validated by the same steps again. */
  readonly params: Params;
  readonly startedAt: number;
  /** The id that the grant will get, so that a second approval finds it taken. */
  readonly grantId: string;
  /** Whom the request goes on with: who signed in for it, was chosen, or was shown the consent page. */
  readonly subject?: string;
  /** That person signed in to answer this very request. */
  readonly signedIn?: true;
}

export type PendingRequestReason = "form_not_ours" | "form_too_old";

interface Sealed {
  readonly params: Params["pairs"];
  readonly startedAt: number;
  readonly grantId: string;
  readonly subject?: string;
  readonly signedIn?: true;
}

// What is sealed for another purpose does not open here.
const boundTo = (browser: Browser) => `authorization request ${browser.secret}`;

/** Seconds that a person has to answer. */
export const formLifetime = 3600;

export function createPendingRequest(params: Params, { now, random }: Services): PendingRequest {
  return { params, startedAt: Math.floor(now()), grantId: createId(random) };
}

export async function sealPendingRequest(
  { params, ...rest }: PendingRequest,
  browser: Browser,
  { keys, random }: Services,
): Promise<string> {
  const sealed: Sealed = { params: params.pairs, ...rest };
  return seal(await keys.sealingKey(), JSON.stringify(sealed), boundTo(browser), random);
}

/** RFC 9700 §4.7: a form that was not made for this very browser changes nothing. */
export async function openPendingRequest(
  form: Params,
  browser: Browser | undefined,
  { keys, now }: Services,
): Promise<PendingRequest> {
  const sealed = form.get("request");
  const text = sealed && browser && unseal(await keys.sealingKey(), sealed, boundTo(browser));
  if (!text) {
    fail<PendingRequestReason>("invalid_request", "This form was not made for this browser by this server", {
      reason: "form_not_ours",
      status: 403,
      spec: "RFC 9700 §4.7",
      expected: "the form and the cookies of one visit; cookies must be allowed",
    });
  }
  const { params, ...rest } = JSON.parse(text) as Sealed;
  if (rest.startedAt + formLifetime <= now()) {
    fail<PendingRequestReason>("invalid_request", "This form is more than an hour old: start again", {
      reason: "form_too_old",
    });
  }
  return { ...rest, params: createParams(params) };
}
