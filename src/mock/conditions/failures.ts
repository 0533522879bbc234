/** Makes requests fail before the server handles them, as a gateway in front of the server does. */

import type { OAuthError } from "../../oauth/error.ts";
import { type RefusalRows, refusals } from "../../oauth/refusals.ts";
import type { Duration } from "../../schema/duration.ts";
import { describeValue } from "../../schema/received.ts";
import type { EndpointName } from "../endpoints.ts";
import { requireNotNegative } from "../terms/duration.ts";
import { WrongTerm } from "../terms/wrong_term.ts";
import { type Limited, takeLimited } from "./limited.ts";

/** The response of a request that fails. */
export interface FailureTerms {
  /** The status: 429, or from 500 to 599. Default: 503. */
  readonly status?: number;
  /** The header `Retry-After`, which some clients obey in real time, rounded up to seconds. Default: no header. */
  readonly retryAfter?: Duration;
}

export interface Failures {
  add(endpoint: EndpointName, count: number, terms: FailureTerms): Limited;
  /** Returns the error that a request gets, if a failure applies to the request. Call once per request. */
  take(endpoint: EndpointName): OAuthError | undefined;
  clear(): void;
}

interface Failure extends Limited {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
}

const refusal = refusals({
  failed_by_test: {
    error: ["temporarily_unavailable", "server_error"],
    sentence: "The test lets this request fail, and the server has not handled it",
    change: "Send the same request again when the test no longer lets it fail.",
  },
});

export const refused: RefusalRows = refusal.rows;

export function createFailures(): Failures {
  const failures = new Set<Failure>();
  return {
    add(endpoint, count, terms) {
      const failure: Failure = {
        endpoint,
        remaining: count,
        used: 0,
        ...readTerms(endpoint, terms),
        [Symbol.dispose]: () => void failures.delete(failure),
      };
      failures.add(failure);
      return failure;
    },
    take(endpoint) {
      const failure = takeLimited(failures, endpoint);
      return failure && createError(failure);
    },
    clear: () => failures.clear(),
  };
}

function readTerms(
  endpoint: EndpointName,
  { status = 503, retryAfter }: FailureTerms,
): Pick<Failure, "status" | "headers"> {
  const doing = `fail requests to "${endpoint}"`;
  if (!Number.isInteger(status) || status !== 429 && (status < 500 || status > 599)) {
    const advice = '. For another response, add a hook: as.on("response", …)';
    throw new WrongTerm(doing, "429 or a status from 500 to 599", describeValue(status), advice);
  }
  if (retryAfter === undefined) return { status, headers: {} };
  const seconds = Math.ceil(requireNotNegative(retryAfter, doing));
  return { status, headers: { "retry-after": `${seconds}` } };
}

/** The statuses of a server that is only busy, or behind a gateway that cannot reach it. */
const temporary: ReadonlySet<number> = new Set([429, 502, 503, 504]);

function createError({ status, headers }: Failure): OAuthError {
  const error = temporary.has(status) ? "temporarily_unavailable" : "server_error";
  return refusal("failed_by_test", { error, status, headers });
}
