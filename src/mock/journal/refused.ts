/** What the kit throws when the server says no: the words of the wire, and the reasons that only the journal knows. */

import type { Facts, Refusal } from "../../oauth/journal.ts";
import { redactRefusal } from "../../oauth/redaction.ts";
import { describeChange, describeUnexplained, explainRefusal, type Received } from "./explain.ts";

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

/** From what an exchange noted, and what came of it; a fault of a hook comes along as the cause. */
export function refusedBy(
  doing: string,
  facts: Partial<Facts> | undefined,
  received?: Received,
  expected = "success",
): Error {
  const { refusal, fault, altered = [] } = facts ?? {};
  const cause = fault === undefined ? undefined : { cause: fault };
  if (received?.error !== undefined && received.error !== refusal?.error) {
    const own = refusal === undefined ? cause : { cause: new Refused(doing, refusal, cause) };
    return new Refused(doing, describeUnexplained(received, altered), own);
  }
  if (refusal !== undefined) {
    const said = fault instanceof Error ? { ...refusal, description: fault.message } : refusal;
    return new Refused(doing, said, cause);
  }
  const status = received === undefined ? "" : ` (status ${received.status})`;
  return new Error(
    `Cannot ${doing}: expected ${expected}, but got something else${status}${describeChange(altered)}`,
    cause,
  );
}
