/** Conditions that apply to a number of requests to one endpoint. */

import type { EndpointName } from "../endpoints.ts";

export interface Limited {
  readonly endpoint: EndpointName;
  /** How many more requests it applies to. */
  left: number;
}

/** Counts a request at the oldest one that applies to it. */
export function takeLimited<T extends Limited>(all: Iterable<T>, endpoint: EndpointName): T | undefined {
  const found = [...all].find((each) => each.endpoint === endpoint && each.left > 0);
  if (found !== undefined) found.left--;
  return found;
}
