/** Makes requests fail before the server handles them, as a gateway in front of the server does. */

import { type OAuthError, type RefusalRows, refusals } from "../../../server/oauth/contracts/refusals.ts";
import type { Duration } from "../../../ground/schema/duration.ts";
import { describeValue } from "../../../ground/schema/received.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { WrongTerm } from "../terms/wrong_term.ts";

/** The response of a request that fails. */
export interface FailureTerms {
  /** The status: 429, or from 500 to 599. Default: 503. */
  readonly status?: number;
  /** The header `Retry-After`, which some clients obey in real time, rounded up to seconds. Default: no header. */
  readonly retryAfter?: Duration;
}

const refusal = refusals({
  failed_by_test: {
    error: ["temporarily_unavailable", "server_error"],
    sentence: "The test lets this request fail, and the server has not handled it",
    change: "Send the same request again when the test no longer lets it fail.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** The message of an error begins with "Cannot " and `doing`. */
export function readFailure(doing: string, { status = 503, retryAfter }: FailureTerms): () => OAuthError {
  if (!Number.isInteger(status) || status !== 429 && (status < 500 || status > 599)) {
    const advice = '. For another response, add a hook: as.on("response", …)';
    throw new WrongTerm(doing, "429 or a status from 500 to 599", describeValue(status), advice);
  }
  const headers: Readonly<Record<string, string>> = retryAfter === undefined
    ? {}
    : { "retry-after": `${Math.ceil(requireNotNegative(retryAfter, doing))}` };
  const error = temporary.has(status) ? "temporarily_unavailable" : "server_error";
  return () => refusal("failed_by_test", { error, status, headers });
}

/** The statuses of a server that is only busy, or behind a gateway that cannot reach it. */
const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504]);
