/** A delay, a failure or a drop that applies to a limited number of requests to one endpoint. */

import type { EndpointName } from "../endpoints.ts";

/** Disposing of the condition ends it. */
export interface Limited extends Disposable {
  readonly endpoint: EndpointName;
  /** How many more requests the condition applies to. */
  remaining: number;
  /** How many requests the condition has applied to. */
  used: number;
}

/** Finds the oldest condition that still applies to a request, and counts the request. */
export function takeLimited<T extends Limited>(all: Iterable<T>, endpoint: EndpointName): T | undefined {
  for (const each of all) {
    if (each.endpoint !== endpoint || each.remaining === 0) continue;
    each.remaining--;
    each.used++;
    return each;
  }
  return undefined;
}
