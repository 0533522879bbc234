/** Limits how often a request repeats a conditional write that other requests keep overtaking. */

import { StoreUnavailable } from "./store.ts";

// Each failed attempt is the successful write of another request, so only a flood of requests reaches this number.
const mostAttempts = 100;

/**
 * Returns the number of the next attempt. After too many it throws, so that the client gets 503 and may try again (RFC 9110
 * §15.6.4). A check such as a throttle is never left out because its record is contended.
 */
export function nextAttempt(attempt: number): number {
  if (attempt < mostAttempts) return attempt + 1;
  throw new StoreUnavailable("Too many requests change one record at the same time");
}
