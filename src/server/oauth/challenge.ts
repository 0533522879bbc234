/** Formats a challenge for the WWW-Authenticate header (RFC 9110 §11.6.1; RFC 6750 §3). */

import { type Challenge, wireText } from "./error.ts";

export function formatChallenge({ scheme, params = {} }: Challenge): string {
  const quoted = Object.entries(params).map(([name, value]) => `${name}="${wireText(value)}"`);
  return `${scheme} ${quoted.join(", ")}`;
}
