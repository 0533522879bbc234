/** Judges by the answer of an API whether the API noticed a faulty token or proof (RFC 6750 §3; RFC 9449 §7.1). */

import type { Outcome } from "../faults/outcome.ts";
import { isTolerance, type Misbehaviour } from "../faults/misbehaviour.ts";
import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import { describeThrown } from "../faults/describe_thrown.ts";

export type Sent =
  | { readonly response: Response }
  | { readonly thrown: unknown }
  | { readonly isLate: true };

export interface ApiOutcome {
  readonly outcome: Exclude<Outcome, "pending">;
  /** One sentence. */
  readonly because: string;
  /** The requests that prove it, if the answer alone does not. */
  readonly requests?: readonly RecordedRequest[];
}

/** An API that calls the URL in the header of a token is fooled, even if it then refuses the token (RFC 8725 §3.10). */
export function describeForgery(
  entry: Pick<Misbehaviour, "level" | "api">,
  sent: Sent,
  requests: readonly RecordedRequest[],
): ApiOutcome {
  const answered = describeApiAnswer(entry, sent);
  const [first] = requests;
  if (first === undefined) return answered;
  return {
    outcome: "fooled",
    because: `The API called the URL in the header, ${first.method} ${first.path}. ${answered.because}`,
    requests,
  };
}

export function describeApiAnswer(
  { level, api }: Pick<Misbehaviour, "level" | "api">,
  sent: Sent,
): ApiOutcome {
  if ("isLate" in sent) return { outcome: "hung", because: "The API did not answer within the limit." };
  if ("thrown" in sent) {
    return { outcome: "unknown", because: `The call failed: ${describeThrown(sent.thrown)}` };
  }
  const { status, headers } = sent.response;
  const challenge = headers.get("www-authenticate");
  const accepts = isTolerance(level);
  if (status >= 200 && status < 300) {
    return { outcome: accepts ? "tolerated" : "fooled", because: `The API answered ${status}.` };
  }
  const answer = `The API answered ${status}${
    challenge === null ? "" : ` with the challenge ${challenge.slice(0, 300)}`
  }.`;
  if (![400, 401, 403].includes(status)) return { outcome: "unknown", because: answer };
  if (accepts) return { outcome: "broke", because: answer };
  const advice = [
    ...(status === api!.status ? [] : [`Expected the status ${api!.status}.`]),
    // RFC 6750 §3.
    ...(status === 401 && challenge === null ? ["The answer lacks the header WWW-Authenticate."] : []),
  ];
  return { outcome: "noticed", because: [answer, ...advice].join(" ") };
}
