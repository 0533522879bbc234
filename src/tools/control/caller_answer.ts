/** Answers that callers give as JSON, instead of a client document or for an API. */

import { mayHaveBody } from "../../ground/http/message.ts";
import { wrongValue } from "../guard/control_refused.ts";

export interface CallerAnswer {
  readonly status?: number;
  /** Default: a content type of JSON. */
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
}

export function createCallerAnswer(
  { status = 200, headers = { "content-type": "application/json" }, body }: CallerAnswer,
): Response {
  return new Response(body ?? null, { status, headers });
}

/** Refuses an answer that HTTP cannot have: a body with the status 204, or a header with a line break. */
export function requireCallerAnswer(answer: CallerAnswer): void {
  if (isPossible(answer)) return;
  throw wrongValue(
    "answer",
    "must have headers that HTTP allows, and no body with the status 204, 205 or 304",
  );
}

function isPossible(answer: CallerAnswer): boolean {
  const { status = 200, body } = answer;
  // Bun creates such a response.
  if (body !== undefined && !mayHaveBody(status)) return false;
  try {
    createCallerAnswer(answer);
    return true;
  } catch {
    return false;
  }
}
