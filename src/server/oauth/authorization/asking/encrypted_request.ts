/**
 * Encrypts a pending request for a form or for the address of a page, and opens it again. With an address, Back and
 * Reload show the page again.
 */

import type { Kind } from "../../../store/store.ts";
import { describeForeignClock, timeFor } from "../../options/clock_skew.ts";
import type { Exchange } from "../../contracts/exchange.ts";
import { createParams, type Params } from "../../contracts/params.ts";
import { type Browser, encryptForBrowser, findBrowser, openForBrowser } from "../../people/browser.ts";
import { type RefusalRows, refusals } from "../../contracts/refusals.ts";
import type { Services } from "../../contracts/feature.ts";
import type { PendingRequest } from "../../contracts/authorization_request.ts";
import { expiryOf, kindOf, startAgain } from "./pending_request.ts";

const refusal = refusals({ error: "invalid_request" }, {
  form_not_ours: {
    status: 403,
    spec: "RFC 9700 §4.7",
    sentence: "This server did not create this {purpose} for this browser",
    expected: "the cookies that came with the {purpose}: allow cookies, and start again from the application",
    change: "Allow cookies, and start the login again in the same browser.",
  },
  form_too_old: {
    sentence: "This {purpose} is more than an hour old: start again",
    change: "Start the login again, and answer within an hour.",
  },
});

export const refused: RefusalRows = refusal.rows;

interface PendingJson extends Omit<PendingRequest, "params" | "asked"> {
  readonly params: Params["pairs"];
}

/** The use of an encrypted request. Text from an address, which histories and logs contain, does not open as a form. */
type Purpose = "form" | "address";

// The encryption covers this text, so an encrypted request opens only for the same purpose and browser.
const purposeOf = (purpose: Purpose) => `authorization request, ${purpose}`;

export async function encryptPendingRequest(
  { params, asked: _setAtOpening, ...rest }: PendingRequest,
  purpose: Purpose,
  browser: Browser,
  services: Services,
): Promise<string> {
  const encrypted: PendingJson = { params: params.pairs, ...rest };
  return await encryptForBrowser(encrypted, purposeOf(purpose), browser, services);
}

/** A request that was encrypted for another browser may be a cross-site request forgery (RFC 9700 §4.7). */
export async function openPendingRequest(
  encrypted: string | undefined,
  purpose: Purpose,
  exchange: Exchange,
  services: Services,
): Promise<PendingRequest> {
  const browser = findBrowser(exchange, services);
  const opened = await openForBrowser<PendingJson>(encrypted, purposeOf(purpose), browser, services);
  // Since the request was encrypted, the server may have been restarted without the feature of this kind.
  if (opened === undefined || !services.slots.requestKinds.has(opened.kind)) {
    throw refusal("form_not_ours", { purpose });
  }
  const pending = { ...opened, params: createParams(opened.params), asked: true };
  if (expiryOf(pending) <= timeFor(pending, services)) {
    throw refusal("form_too_old", {
      purpose,
      received: `a request that started at ${new Date(pending.startedAt * 1000).toISOString()}` +
        describeForeignClock(pending, services),
      ...startAgain(pending, services),
    });
  }
  return pending;
}

// OAuth 2.1 §1.7.1: all browsers and proxies support addresses of this length.
const longestAddress = 8_000;

/** Requests that are too long for an address. An id is a number from 0 to 255, so a flood of them cannot fill the store. */
const longRequests: Kind<{ readonly sealed: string }> = { name: "long_request" };

/** The number of ids that the server tries. If all of them are in use, the page has no address of its own. */
const attempts = 4;

/** Creates the address of a page. Returns `undefined` if the request is too long for it and could not be stored. */
export async function createAddress(
  pending: PendingRequest,
  browser: Browser,
  services: Services,
): Promise<string | undefined> {
  const { basePath, baseUrl } = services.settings;
  const encrypted = await encryptPendingRequest(pending, "address", browser, services);
  const address = `${kindOf(pending, services).path}?continue=`;
  const value = baseUrl.length + address.length + encrypted.length <= longestAddress
    ? encrypted
    : await storeLongRequest(encrypted, expiryOf(pending), services);
  // The address has no host, because the browser may use another host than the issuer's, and its cookies belong to it.
  return value && basePath + address + value;
}

export async function openAddress(
  value: string,
  exchange: Exchange,
  services: Services,
): Promise<PendingRequest> {
  const stored = /^stored\.(\d{1,3})\.([\w-]+)$/.exec(value);
  const encrypted = stored === null ? value : await findLongRequest(stored[1]!, stored[2]!, services);
  return await openPendingRequest(encrypted, "address", exchange, services);
}

async function storeLongRequest(
  encrypted: string,
  expiresAt: number,
  { store, now, random }: Services,
): Promise<string | undefined> {
  // Each random byte is an id.
  for (const id of random(attempts)) {
    const version = await store.put(longRequests, `${id}`, { sealed: encrypted }, {
      expiresAt,
      now: now(),
      if: null,
    });
    if (version !== undefined) return `stored.${id}.${markOf(encrypted)}`;
  }
  return undefined;
}

async function findLongRequest(
  id: string,
  mark: string,
  { store, now }: Services,
): Promise<string | undefined> {
  const entry = await store.get(longRequests, id, now());
  return entry !== undefined && markOf(entry.value.sealed) === mark ? entry.value.sealed : undefined;
}

/** Returns the nonce of an encrypted text. The nonce shows whether a later request has replaced the text under this id. */
function markOf(encrypted: string): string {
  return encrypted.slice(0, 16);
}
