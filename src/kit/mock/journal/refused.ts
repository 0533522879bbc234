/** The error that the test kit throws when the server refuses a request. */

import type { Facts, Refusal } from "../../../server/oauth/contracts/journal.ts";
import { redactTexts } from "../../../server/oauth/secrets/redaction.ts";
import { describeChange, describeUnexplained, explainRefusal, type Received } from "./explain.ts";

/** A refusal of the server. The message has the rule, the expected value and the received value. */
export class Refused extends Error {
  override readonly name = "Refused";
  /** The error code that the client receives, for example "invalid_grant". */
  readonly error: string;
  /** The exact cause, for example "verifier_wrong". */
  readonly reason: string;
  readonly refusal: Refusal;

  constructor(doing: string, refusal: Refusal, options?: ErrorOptions) {
    super(`Cannot ${doing}: ${explainRefusal(refusal)}`, options);
    this.error = refusal.error;
    this.reason = refusal.reason;
    this.refusal = redactTexts(refusal);
  }
}

/** Creates the error for a refused request. If a hook threw an error, it is the cause of the created error. */
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
    const explained = fault instanceof Error ? { ...refusal, description: fault.message } : refusal;
    return new Refused(doing, explained, cause);
  }
  const status = received === undefined ? "" : ` (status ${received.status})`;
  return new Error(
    `Cannot ${doing}: expected ${expected}, but got something else${status}${describeChange(altered)}`,
    cause,
  );
}
