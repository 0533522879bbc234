/** Reads the terms about the person at the browser: who signs in, and whether they approve. */

import type { FallbackDecision, SignInDecision } from "../conditions/decisions.ts";
import { present } from "../../../ground/values/present.ts";
import { requirePerson } from "../terms/configured.ts";
import type { Browser } from "./browser.ts";
import type { RunningTenant } from "../running_tenant.ts";

/** Options of `login` and `authorize` about the person at the browser. */
export interface PersonTerms {
  /** `true`: the person denies the request, and the client receives `access_denied`. */
  readonly deny?: boolean;
  /**
   * The second factor: `true` proves it without a code, also if the request does not need it; a text is the code that the person
   * types; `false` gives none. Default: `true` if the request needs it.
   */
  readonly secondFactor?: boolean | string;
  /** The browser to use, with the sessions that it already has. It keeps the new session. Default: a new browser. */
  readonly browser?: Browser;
}

/** Without a name, the fallback is the default person of the issuer. */
export function readDecision(
  username: string | undefined,
  { deny, secondFactor }: PersonTerms,
  running: RunningTenant,
): SignInDecision | FallbackDecision {
  if (deny && username === undefined) return { deny: true };
  const person = requirePerson(username, running);
  if (deny) return { deny: true };
  const given = present({ secondFactor });
  return username === undefined ? { fallback: person, ...given } : { person, ...given };
}
