/** Groups the polls of a device that waits for a person (RFC 8628 §3.5). */

import { describeCall } from "./describe_request.ts";
import type { RecordedRequest } from "./recorded_request.ts";

interface GroupedRequest {
  readonly request: RecordedRequest;
  readonly times: number;
}

/** Returns the requests in their order. Consecutive polls of one login, which all must wait, are one. */
export function groupPolls(requests: readonly RecordedRequest[]): readonly GroupedRequest[] {
  const grouped: GroupedRequest[] = [];
  for (const request of requests) {
    const last = grouped.at(-1);
    if (
      last !== undefined && isWaiting(request) && isWaiting(last.request) &&
      last.request.flow === request.flow
    ) {
      grouped[grouped.length - 1] = { ...last, times: last.times + 1 };
    } else grouped.push({ request, times: 1 });
  }
  return grouped;
}

/** Describes a call and, if it stands for several, how many: `4 × POST /oauth2/token`. */
export function describeGrouped({ request, times }: GroupedRequest): string {
  return (times === 1 ? "" : `${times} × `) + describeCall(request);
}

function isWaiting({ outcome, refusal }: RecordedRequest): boolean {
  return outcome === "ok" && refusal !== undefined;
}
