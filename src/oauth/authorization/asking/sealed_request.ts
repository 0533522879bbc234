/** Seals a pending request into a form or an address, and opens it again. */

import { seal, unseal } from "../../../crypto/seal.ts";
import { longestUrl } from "../../../http/address.ts";
import { describeForeignClock, timeFor } from "../../clock_skew.ts";
import { formatParams } from "../../../http/form.ts";
import { createParams, type Params } from "../../params.ts";
import type { Browser } from "../../people/browser.ts";
import type { Services } from "../../services.ts";
import { createId } from "../../credential.ts";
import { type RefusalRows, refusals } from "../../refusals.ts";
import { endOf, type PendingRequest, type ResolvedRequest } from "./pending_request.ts";

const refusal = refusals({
  form_not_ours: {
    error: "invalid_request",
    status: 403,
    spec: "RFC 9700 §4.7",
    sentence: "This server did not create this {purpose} for this browser",
    expected: "the cookies that came with the {purpose}: allow cookies, and start again from the application",
    change: "Allow cookies, and start the login again in the same browser.",
  },
  form_too_old: {
    error: "invalid_request",
    sentence: "This {purpose} is more than an hour old: start again",
    change: "Start the login again, and answer within an hour.",
  },
});

export const refused: RefusalRows = refusal.rows;

interface Sealed extends Omit<PendingRequest, "params" | "asked"> {
  readonly params: Params["pairs"];
}

/** The use of a sealed request. Text from an address, which histories and logs contain, does not open as a form. */
export type SealPurpose = "form" | "address";

// The seal covers this text, so a sealed request opens only for the same purpose and browser.
const boundTo = (purpose: SealPurpose, { secret }: Browser) => `authorization request, ${purpose} ${secret}`;

/** Creates the pending request of a new request. */
export function createPendingRequest(
  kind: string,
  resolved: ResolvedRequest,
  { now, clock, random }: Services,
): PendingRequest {
  return {
    kind,
    grantId: createId(random),
    canArriveAgain: resolved.grantId !== undefined,
    ...resolved,
    startedAt: Math.floor(now()),
    clock,
    asked: false,
  };
}

/** Seals the request for one browser. */
export async function sealPendingRequest(
  { params, asked: _true, ...rest }: PendingRequest,
  purpose: SealPurpose,
  browser: Browser,
  { keys, random }: Services,
): Promise<string> {
  const sealed: Sealed = { params: params.pairs, ...rest };
  return seal(await keys.sealingKey(), JSON.stringify(sealed), boundTo(purpose, browser), random);
}

/**
 * Opens a sealed request. Throws if the request is too old or was sealed for another browser, because such a form may
 * be a cross-site request forgery (RFC 9700 §4.7).
 */
export async function openPendingRequest(
  sealed: string | undefined,
  purpose: SealPurpose,
  browser: Browser | undefined,
  services: Services,
): Promise<PendingRequest> {
  const { keys, slots } = services;
  const text = sealed && browser && unseal(await keys.sealingKey(), sealed, boundTo(purpose, browser));
  const opened = text ? JSON.parse(text) as Sealed : undefined;
  // Since the request was sealed, the server may have been restarted without the feature of this kind.
  if (opened === undefined || !slots.requestKinds.has(opened.kind)) {
    throw refusal("form_not_ours", { purpose });
  }
  const pending = { ...opened, params: createParams(opened.params), asked: true };
  if (endOf(pending) <= timeFor(pending, services)) {
    throw refusal("form_too_old", {
      purpose,
      received: `a request that started at ${new Date(pending.startedAt * 1000).toISOString()}` +
        describeForeignClock(pending, services),
      ...startAgain(pending, services),
    });
  }
  return pending;
}

/**
 * Returns the link that starts the same request again, for an error page. A request from a source has no such link,
 * because it may be valid once only. A request that is too long for a URL has none either.
 */
export function startAgain(
  { kind, params, arrivedBy }: PendingRequest,
  { settings: { automaticPerson, basePath, baseUrl }, slots }: Services,
): { readonly startAgainUrl?: string } {
  // If sign-in is automatic, pages ask only about requests from another site. A link on this server's own page would
  // get past that check.
  if (automaticPerson !== undefined || arrivedBy.length > 0) return {};
  const address = `${slots.requestKinds.get(kind)!.path}?${formatParams(params.pairs)}`;
  return baseUrl.length + address.length > longestUrl ? {} : { startAgainUrl: basePath + address };
}
