/** The address of a page that asks a person. The request is sealed in it, so Back and Reload open that page again. */

import type { Kind } from "../../../store/store.ts";
import type { Exchange } from "../../exchange.ts";
import type { Params } from "../../params.ts";
import { type Browser, findBrowser } from "../../people/browser.ts";
import type { Services } from "../../services.ts";
import { endOf, type PendingRequest } from "./pending_request.ts";
import { openPendingRequest, sealPendingRequest } from "./sealed_request.ts";

// OAuth 2.1 §1.7.1: all browsers and proxies support addresses of this length.
const longestAddress = 8_000;

/**
 * Sealed requests that are too long for an address. An id is a number from 0 to 255, so a flood of long requests cannot
 * fill the store.
 */
const longRequests: Kind<{ readonly sealed: string }> = { name: "long_request" };

/** The number of ids that the server tries. If all of them are in use, the page has no address of its own. */
const attempts = 4;

/** Creates the address. Returns `undefined` if the request is too long for an address and could not be stored. */
export async function createContinuation(
  pending: PendingRequest,
  browser: Browser,
  services: Services,
): Promise<string | undefined> {
  const { settings: { basePath, baseUrl }, slots } = services;
  const sealed = await sealPendingRequest(pending, "address", browser, services);
  const address = `${slots.requestKinds.get(pending.kind)!.path}?continue=`;
  const value = baseUrl.length + address.length + sealed.length <= longestAddress
    ? sealed
    : await storeLongRequest(sealed, endOf(pending), services);
  // The address has no host, because the browser may use another host than the issuer's, and its cookies belong to it.
  return value && basePath + address + value;
}

/** Returns `continue` if it is the only parameter of a GET. Otherwise it is an unknown parameter (OAuth 2.1 §3.1). */
export function readContinuation({ pairs }: Params, { request }: Exchange): string | undefined {
  const [[name, value] = [], ...others] = pairs;
  return request.method !== "POST" && name === "continue" && others.length === 0 ? value : undefined;
}

/** Opens the request of an address. Throws if the address is too old or was not created for this browser. */
export async function openContinuation(
  value: string,
  exchange: Exchange,
  services: Services,
): Promise<PendingRequest> {
  const stored = /^stored\.(\d{1,3})\.([\w-]+)$/.exec(value);
  const sealed = stored === null ? value : await findLongRequest(stored[1]!, stored[2]!, services);
  return await openPendingRequest(sealed, "address", findBrowser(exchange, services), services);
}

async function storeLongRequest(
  sealed: string,
  expiresAt: number,
  { store, now, random }: Services,
): Promise<string | undefined> {
  // Each random byte is an id.
  for (const id of random(attempts)) {
    const version = await store.put(longRequests, `${id}`, { sealed }, {
      expiresAt,
      now: now(),
      if: null,
    });
    if (version !== undefined) return `stored.${id}.${markOf(sealed)}`;
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

/** Returns the nonce of a sealed text. The nonce shows whether a later request has replaced the text under this id. */
function markOf(sealed: string): string {
  return sealed.slice(0, 16);
}
