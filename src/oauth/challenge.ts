/** The WWW-Authenticate header of a refusal (RFC 9110 §11.6.1; RFC 6750 §3). */

import { wireText } from "./error.ts";

/** Client libraries often read the error from here alone, so it says what the body says. */
export function formatChallenge(scheme: string, params: Readonly<Record<string, string>>): string {
  const quoted = Object.entries(params).map(([name, value]) => `${name}="${wireText(value)}"`);
  return `${scheme} ${quoted.join(", ")}`;
}
