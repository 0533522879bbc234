/** A web page has no agents of Node to intercept. */

import type { openAgents as open } from "./agents.ts";

export const noAgents: ReturnType<typeof open> = { prototypes: [], end: () => {} };

export function openAgents(): never {
  throw new TypeError("A web page cannot intercept node:http, which it does not have: leave node out");
}
