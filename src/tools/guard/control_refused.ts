/** The errors of the control plane. They all have the same JSON form. */

import type { Answer } from "../../ground/http/message.ts";
import { json } from "../../ground/http/respond.ts";
import { Refused } from "../../kit/mock/journal/refused.ts";
import { AnswerLost } from "../../kit/mock/network/network_error.ts";
import type { Missing } from "../../kit/mock/terms/configured.ts";
import { WrongTerm } from "../../kit/mock/terms/wrong_term.ts";
import type { Refusal } from "../../server/oauth/contracts/journal.ts";
import { describeKnown, suggestSimilar } from "../../ground/schema/nearest.ts";
import { present } from "../../ground/values/present.ts";
import { withReceived } from "../../ground/schema/received.ts";

interface ControlProblem {
  readonly error: ControlError;
  readonly error_description: string;
  /** The place of the mistake, for example `redirect_uris[0]`. */
  readonly place?: string;
  readonly expected?: string;
  readonly refusal?: Refusal;
}

export const statusOf = {
  invalid_request: 400,
  invalid_token: 401,
  access_denied: 403,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  unsupported_media_type: 415,
  misdirected: 421,
  refused: 422,
  answer_lost: 422,
  failed: 422,
} as const;

type ControlError = keyof typeof statusOf;

export const controlErrors: readonly ControlError[] = Object.keys(statusOf) as ControlError[];

interface RefusalOptions {
  readonly place?: string;
  readonly expected?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown by the checks of the control plane. `answerProblem` turns it into a response. */
export class ControlRefused extends Error {
  override readonly name = "ControlRefused";
  readonly error: ControlError;
  readonly terms: RefusalOptions;

  constructor(error: ControlError, message: string, terms: RefusalOptions = {}) {
    super(message);
    this.error = error;
    this.terms = terms;
  }
}

export function wrongRequest(problem: string, expected: string, place?: string): ControlRefused {
  return new ControlRefused("invalid_request", problem, { ...present({ place }), expected });
}

/** `expected` begins with "must". */
export function wrongValue(place: string, expected: string, received?: string): ControlRefused {
  return wrongRequest(`${place} ${withReceived(expected, received)}`, expected, place);
}

export function answerProblem(thrown: unknown): Answer {
  if (thrown instanceof ControlRefused) {
    const { error, message, terms: { headers, ...details } } = thrown;
    return write({ error, error_description: message, ...details }, headers);
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof Refused) {
    return write({ error: "refused", error_description: message, refusal: thrown.refusal });
  }
  if (thrown instanceof AnswerLost) {
    const description =
      "The response is lost: a drop cut the connection after the server had handled the request";
    return write({ error: "answer_lost", error_description: description });
  }
  // The test kit throws a TypeError for a wrong argument. Other errors are failures.
  if (!(thrown instanceof TypeError)) return write({ error: "failed", error_description: message });
  return write({ error: "invalid_request", error_description: message });
}

/** If `work` refuses a value as a wrong term, the error gets the place of the value in the body. */
export function withPlace<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof WrongTerm)) throw error;
    const { message, expected } = error;
    throw wrongRequest(message, expected, place);
  }
}

/** `base` is the path of the control plane for this tenant, `place` that of the name: `client` or `?client`. */
export function missingRefusal(
  missing: Missing,
  { base, place }: Readonly<Record<"base" | "place", string>>,
): ControlRefused {
  const { kind, name, known, entry, forUnknownToken } = missing;
  if (forUnknownToken) return unknownTokenRefusal(missing, place);
  const post = `POST ${base}/${kind === "person" ? "people" : "clients"} ${JSON.stringify(entry)}`;
  const problem = name !== undefined
    ? `There is no ${kind} ${JSON.stringify(name)}: ${describeKnown(known)}` +
      (suggestSimilar(name, known) || ".")
    : kind === "person"
    ? "No people are configured."
    : `No client is named, and none can be chosen: ${describeKnown(known)}.`;
  const expected = known.length === 0
    ? `a ${kind} that was added before`
    : `must be one of ${known.join(", ")}`;
  return wrongRequest(`${problem} Add one with ${post}`, expected, place);
}

function unknownTokenRefusal({ known }: Missing, place: string): ControlRefused {
  const problem = "This server does not know the token, so it cannot tell which client received it";
  const expected = `a token that this server issued, or in ${place} one of ${known.join(", ")}`;
  return wrongRequest(problem, expected, place);
}

function write(problem: ControlProblem, headers: Readonly<Record<string, string>> = {}): Answer {
  return json(problem, { status: statusOf[problem.error], headers });
}
