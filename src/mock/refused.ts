/** What the kit throws when the server says no: the words of the wire, and the reasons that only the journal knows. */

import type { Facts, Refusal } from "../oauth/journal.ts";
import { redactRefusal } from "../oauth/redaction.ts";
import { explainRefusal } from "./explain.ts";

/** The server refused. The message explains it: the rule, what was expected, and what came. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** The code that clients see: "invalid_grant". */
  readonly error: string;
  /** The exact cause: "verifier_wrong". */
  readonly reason: string;
  readonly refusal: Refusal;

  constructor(doing: string, refusal: Refusal, options?: ErrorOptions) {
    super(`Cannot ${doing}: ${explainRefusal(refusal)}`, options);
    this.error = refusal.error;
    this.reason = refusal.reason;
    this.refusal = redactRefusal(refusal);
  }
}

/** From what an exchange noted; a fault of a hook comes along as the cause. */
export function refusedBy(doing: string, facts: Partial<Facts> | undefined): Error {
  const { refusal, fault } = facts ?? {};
  const cause = fault === undefined ? undefined : { cause: fault };
  if (fault instanceof Error && refusal !== undefined) {
    return new Refused(doing, { ...refusal, description: fault.message }, cause);
  }
  return refusal === undefined
    ? new Error(`Cannot ${doing}: the answer was changed by a hook into something that is none`)
    : new Refused(doing, refusal, cause);
}
