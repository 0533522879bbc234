/** A web page cannot choose addresses: its browser looks them up, and decides by its own rules what a page may call. */

import type { FetchOthers } from "./message.ts";

export const fetchOfPlatform: FetchOthers = (input, init) => globalThis.fetch(input, init);

export function resolveHost(): never {
  throw new TypeError("A web page cannot look up addresses");
}

/** Takes no arguments, and sends nothing. */
export function createSendToAddress(): typeof resolveHost {
  return resolveHost;
}
