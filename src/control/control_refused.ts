/** How the control says no: one form for everything, with the place that is wrong where there is one. */

import type { Answer } from "../http/message.ts";
import { json } from "../http/respond.ts";
import { Refused } from "../mock/journal/refused.ts";
import { AnswerLost } from "../mock/network/answer_lost.ts";
import type { Missing } from "../mock/terms/configured.ts";
import { noneOf } from "../mock/terms/directory.ts";
import { WrongTerm } from "../mock/terms/wrong_term.ts";
import type { Refusal } from "../oauth/journal.ts";

/** In JSON: what every answer from 400 on holds. */
export interface ControlProblem {
  readonly error: ControlError;
  readonly error_description: string;
  /** What is wrong, as one would write it: `redirect_uris[0]`. */
  readonly place?: string;
  readonly expected?: string;
  /** What the authorization server answered, where it is the one that said no. */
  readonly refusal?: Refusal;
}

const statusOf = {
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

export type ControlError = keyof typeof statusOf;

export const controlErrors: readonly ControlError[] = Object.keys(statusOf) as ControlError[];

interface RefusalTerms {
  readonly place?: string;
  readonly expected?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Thrown wherever the control finds something wrong, and answered in one place. */
export class ControlRefused extends Error {
  override readonly name = "ControlRefused";
  readonly error: ControlError;
  readonly terms: RefusalTerms;

  constructor(error: ControlError, message: string, terms: RefusalTerms = {}) {
    super(message);
    this.error = error;
    this.terms = terms;
  }
}

export function answerProblem(thrown: unknown): Answer {
  if (thrown instanceof ControlRefused) {
    const { error, message, terms: { headers, ...at } } = thrown;
    return write({ error, error_description: message, ...at }, headers);
  }
  const message = thrown instanceof Error ? thrown.message : String(thrown);
  if (thrown instanceof Refused) {
    return write({ error: "refused", error_description: message, refusal: thrown.refusal });
  }
  if (thrown instanceof AnswerLost) {
    const description = "The answer is lost: a drop cut the connection after the work was done";
    return write({ error: "answer_lost", error_description: description });
  }
  // With this the kit says that it was told something wrong.
  if (!(thrown instanceof TypeError)) return write({ error: "failed", error_description: message });
  return write({ error: "invalid_request", error_description: message });
}

/** For work that one member of the body alone can be wrong for. */
export function at<T>(place: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    if (!(error instanceof WrongTerm)) throw error;
    const { message, expected } = error;
    throw new ControlRefused("invalid_request", message, { place, expected });
  }
}

/** Where the missing one can be added, and where the request named it. */
export interface MissingTerms {
  /** The address of the control for this tenant. */
  readonly base: string;
  readonly place: string;
}

/** In the words of HTTP: who is there, and the request that adds the one who is not. */
export function missingRefusal(
  { kind, name, known, entry }: Missing,
  { base, place }: MissingTerms,
): ControlRefused {
  const what = kind === "person" ? "people" : "clients";
  const post = `POST ${base}/${what} ${JSON.stringify(entry)}`;
  const names = known.join(", ");
  const there = `there is ${names || noneOf(what)}`;
  const quoted = JSON.stringify(name);
  const message = kind === "person"
    ? name === undefined
      ? `There is nobody to sign in: add somebody with ${post}`
      : `Nobody here is called ${quoted}: ${there}; add them with ${post}`
    : name === undefined
    ? `Which client is meant cannot be told: name one that fits (${there}), or add one with ${post}`
    : `There is no client ${quoted}: ${there}; add it with ${post}`;
  const expected = names === "" ? `a ${kind} that was added before` : `must be one of ${names}`;
  return new ControlRefused("invalid_request", message, { place, expected });
}

function write(problem: ControlProblem, headers: Readonly<Record<string, string>> = {}): Answer {
  return json(problem, { status: statusOf[problem.error], headers });
}
