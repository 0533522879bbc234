/** Sealing a pending request into a form or an address, and opening it again. */

import { seal, unseal } from "../../crypto/seal.ts";
import { longestUrl } from "../../http/address.ts";
import { fail } from "../error.ts";
import { createParams, formatParams, type Params } from "../params.ts";
import type { Browser } from "../people/browser.ts";
import type { Services } from "../services.ts";
import { createId } from "../tokens/credential.ts";
import { endOf, type PendingRequest, type ResolvedRequest } from "./pending_request.ts";

export type PendingRequestReason = "form_not_ours" | "form_too_old";

interface Sealed extends Omit<PendingRequest, "params" | "asked"> {
  readonly params: Params["pairs"];
}

/** What is sealed for one of them does not open as the other: an address is written into histories and logs. */
export type SealPurpose = "form" | "address";

const boundTo = (purpose: SealPurpose, { secret }: Browser) => `authorization request, ${purpose} ${secret}`;

export function createPendingRequest(
  kind: string,
  resolved: ResolvedRequest,
  { now, random }: Services,
): PendingRequest {
  return { kind, grantId: createId(random), ...resolved, startedAt: Math.floor(now()), asked: false };
}

export async function sealPendingRequest(
  { params, asked: _always, ...rest }: PendingRequest,
  purpose: SealPurpose,
  browser: Browser,
  { keys, random }: Services,
): Promise<string> {
  const sealed: Sealed = { params: params.pairs, ...rest };
  return seal(await keys.sealingKey(), JSON.stringify(sealed), boundTo(purpose, browser), random);
}

/** RFC 9700 §4.7: a form that was not made for this very browser changes nothing. */
export async function openPendingRequest(
  sealed: string | undefined,
  purpose: SealPurpose,
  browser: Browser | undefined,
  services: Services,
): Promise<PendingRequest> {
  const { keys, now, slots } = services;
  const text = sealed && browser && unseal(await keys.sealingKey(), sealed, boundTo(purpose, browser));
  const opened = text ? JSON.parse(text) as Sealed : undefined;
  // The feature that knows its kind may be gone since.
  if (opened === undefined || !slots.requestKinds.has(opened.kind)) {
    fail<PendingRequestReason>(
      "invalid_request",
      `This ${purpose} was not made for this browser by this server`,
      {
        reason: "form_not_ours",
        status: 403,
        spec: "RFC 9700 §4.7",
        expected:
          `the ${purpose} and the cookies of one visit: allow cookies, and start again from the application`,
      },
    );
  }
  const pending = { ...opened, params: createParams(opened.params), asked: true };
  if (endOf(pending) <= now()) {
    fail<PendingRequestReason>("invalid_request", `This ${purpose} is more than an hour old: start again`, {
      reason: "form_too_old",
      ...startAgain(pending, services),
    });
  }
  return pending;
}

/**
 * For a refusal: where the same request starts anew. A request of a source cannot: it was good for one start, or was
 * signed. Neither can one that came in a form and is too long for an address.
 */
export function startAgain(
  { kind, params, arrivedBy }: PendingRequest,
  { settings: { automaticPerson, basePath, baseUrl }, slots }: Services,
): { readonly startAgainUrl?: string } {
  // Where sign-in is automatic, a person is asked because another site made the request. A link of ours would pass it.
  if (automaticPerson !== undefined || arrivedBy.length > 0) return {};
  const address = `${slots.requestKinds.get(kind)!.path}?${formatParams(params.pairs)}`;
  return baseUrl.length + address.length > longestUrl ? {} : { startAgainUrl: basePath + address };
}
