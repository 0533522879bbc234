/** The person at the browser: who signs in, and whether they approve. */

import type { FallbackDecision, SignInDecision } from "../conditions/decisions.ts";
import { requirePerson } from "../terms/configured.ts";
import type { Browser } from "./browser.ts";
import type { TenantContext } from "./tenant_context.ts";

/** What the person at the browser does. */
export interface PersonTerms {
  /** The person denies the request: the client receives `access_denied`. */
  readonly deny?: boolean;
  /** A browser that may have sessions already, and keeps this one. Default: a new one. */
  readonly browser?: Browser;
}

/** Without a name, the first person is the fallback. */
export function readDecision(
  username: string | undefined,
  { deny }: PersonTerms,
  context: TenantContext,
): SignInDecision | FallbackDecision {
  if (deny && username === undefined) return { deny: true };
  const person = requirePerson(username, context);
  return deny ? { deny: true } : username === undefined ? { fallback: person } : { person };
}
