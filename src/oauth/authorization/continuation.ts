/** The address of a page that asks a person. The request is sealed in it, so Back and Reload open that page again. */

import type { Kind } from "../../store/store.ts";
import type { Exchange } from "../exchange.ts";
import type { Params } from "../params.ts";
import { type Browser, findBrowser } from "../people/browser.ts";
import type { Services } from "../services.ts";
import { endOf, type PendingRequest } from "./pending_request.ts";
import { openPendingRequest, sealPendingRequest } from "./sealed_request.ts";

// OAuth 2.1 §1.7.1: a length that browsers and proxies can be relied on to take.
const longestAddress = 8_000;

/** What does not fit into an address. The id is one of 256 places, so no flood of long requests fills the store. */
const longRequests: Kind<{ readonly sealed: string }> = { name: "long_request" };

/** How many places are tried before the request is answered without an address. */
const attempts = 4;

/** `undefined`: the request is too long for an address, and no place for it was free. */
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
    : await keepLongRequest(sealed, endOf(pending), services);
  // Relative: the browser may know this server by another name than the issuer's, and has its cookies there.
  return value && basePath + address + value;
}

/** The only parameter of a GET: in any other request `continue` means nothing (OAuth 2.1 §3.1). */
export function readContinuation({ pairs }: Params, { request }: Exchange): string | undefined {
  const [[name, value] = [], ...others] = pairs;
  return request.method !== "POST" && name === "continue" && others.length === 0 ? value : undefined;
}

export async function openContinuation(
  value: string,
  exchange: Exchange,
  services: Services,
): Promise<PendingRequest> {
  const stored = /^stored\.(\d{1,3})\.([\w-]+)$/.exec(value);
  const sealed = stored === null ? value : await findLongRequest(stored[1]!, stored[2]!, services);
  return await openPendingRequest(sealed, "address", findBrowser(exchange, services), services);
}

async function keepLongRequest(
  sealed: string,
  expiresAt: number,
  { store, now, random }: Services,
): Promise<string | undefined> {
  // An octet names a place.
  for (const place of random(attempts)) {
    const version = await store.put(longRequests, `${place}`, { sealed }, {
      expiresAt,
      now: now(),
      if: null,
    });
    if (version !== undefined) return `stored.${place}.${markOf(sealed)}`;
  }
  return undefined;
}

async function findLongRequest(
  place: string,
  mark: string,
  { store, now }: Services,
): Promise<string | undefined> {
  const entry = await store.get(longRequests, place, now());
  return entry !== undefined && markOf(entry.value.sealed) === mark ? entry.value.sealed : undefined;
}

/** The nonce of a sealed text tells it from the next one in the same place. */
function markOf(sealed: string): string {
  return sealed.slice(0, 16);
}
