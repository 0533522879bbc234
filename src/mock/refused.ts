/** What the kit throws when the server says no: the words of the wire, and the reasons that only the journal knows. */

import type { Answer } from "../http/message.ts";
import { type Facts, redactRefusal, type Refusal } from "../oauth/journal.ts";
import { explainRefusal } from "./explain.ts";
import { parseMembers } from "./members.ts";

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

/** What the client got instead of what it asked for. */
export interface Received {
  readonly status: number;
  /** The OAuth error in it. */
  readonly error?: string | undefined;
  readonly description?: string | undefined;
}

/** Of an answer to a program. */
export function readReceived({ status, body }: Answer): Received {
  const { error, error_description: description } = parseMembers(body) ?? {};
  return {
    status,
    ...(typeof error === "string" ? { error } : {}),
    ...(typeof description === "string" ? { description } : {}),
  };
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
    return new Refused(doing, describeReceived(received.error, received, altered), own);
  }
  if (refusal !== undefined) {
    const said = fault instanceof Error ? { ...refusal, description: fault.message } : refusal;
    return new Refused(doing, said, cause);
  }
  const status = received === undefined ? "" : ` (status ${received.status})`;
  return new Error(
    `Cannot ${doing}: expected ${expected}, but got something else${status}${describeHooks(altered)}`,
    cause,
  );
}

/** The server noted nothing of this error. */
function describeReceived(
  error: string,
  { status, description }: Received,
  altered: readonly string[],
): Refusal {
  const [reason, usually] = altered.length === 0
    ? ["unexplained", "the server says nothing else about it"]
    : ["changed_by_hook", "a hook made this error, not the server"];
  const received = `status ${status}${describeHooks(altered)}`;
  return { error, reason, description: description ?? usually, received };
}

function describeHooks(altered: readonly string[]): string {
  if (altered.length === 0) return "";
  const names = [...new Set(altered)].map((name) => `"${name}"`);
  return `: the ${names.length === 1 ? "hook" : "hooks"} at ${names.join(", ")} changed it`;
}
