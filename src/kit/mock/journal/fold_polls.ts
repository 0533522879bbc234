/** Folds the polls of a device that waits for a person into one (RFC 8628 §3.5). */

import { describeCall } from "./describe_request.ts";
import type { RecordedRequest } from "./recorded_request.ts";

/** A request, and how many equal ones it stands for. */
export interface FoldedRequest {
  readonly request: RecordedRequest;
  readonly times: number;
}

/** Returns the requests in their order. Consecutive polls of one login, which all must wait, are one. */
export function foldPolls(requests: readonly RecordedRequest[]): readonly FoldedRequest[] {
  const folded: FoldedRequest[] = [];
  for (const request of requests) {
    const last = folded.at(-1);
    if (
      last !== undefined && isWaiting(request) && isWaiting(last.request) &&
      last.request.flow === request.flow
    ) {
      folded[folded.length - 1] = { ...last, times: last.times + 1 };
    } else folded.push({ request, times: 1 });
  }
  return folded;
}

/** Describes a call and, if it stands for several, how many: `4 × POST /oauth2/token`. */
export function describeFolded({ request, times }: FoldedRequest): string {
  return (times === 1 ? "" : `${times} × `) + describeCall(request);
}

function isWaiting({ outcome, refusal }: RecordedRequest): boolean {
  return outcome === "ok" && refusal !== undefined;
}
