/** Judges by the answer of an API whether the API noticed a faulty token or proof (RFC 6750 §3; RFC 9449 §7.1). */

import { calledUrl, type Outcome } from "../faults/outcome.ts";
import { type ApiAnswer, isTolerance, type Misbehaviour } from "../faults/misbehaviour.ts";
import type { RecordedRequest } from "../mock/journal/recorded_request.ts";
import { expectedError, lacksChallenge, lacksError } from "../faults/mends.ts";
import { describeThrown } from "../faults/describe_thrown.ts";
import type { RefusedBy } from "./refused_by.ts";
import { present } from "../../ground/values/present.ts";

export type Sent =
  /** `declared` is the declaration of the user that makes the answer a refusal. */
  | { readonly response: Response; readonly declared?: RefusedBy | undefined }
  | { readonly thrown: unknown }
  | { readonly isLate: true };

export interface ApiOutcome {
  readonly outcome: Exclude<Outcome, "pending">;
  /** One sentence. */
  readonly because: string;
  /** Present if the API refused, but its answer differs from what a standard recommends. `because` says how. */
  readonly advised?: true;
  /** The requests that prove it, if the answer alone does not. */
  readonly requests?: readonly RecordedRequest[];
}

/** The setting or the API makes the misbehaviour impossible, so it is not counted. */
export function leaveOut(because: string): ApiOutcome {
  return { outcome: "not_applicable", because };
}

export const needsJwt = "The access tokens are opaque (accessTokens), and this fault is in a part of a JWT.";

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
    because: `The API ${calledUrl}: ${first.method} ${first.path}. ${answered.because}`,
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
  const { response: { status, headers }, declared } = sent;
  const challenge = headers.get("www-authenticate");
  const answer = `The API answered ${status}${challenge === null ? "" : ` with the challenge ${challenge}`}.`;
  const refused = isTolerance(level) && !api!.mayRefuse ? "broke" : "noticed";
  if (declared !== undefined) {
    return { outcome: refused, because: `${answer} This is declared as a refusal: ${declared}.` };
  }
  if (sent.response.ok) {
    return { outcome: isTolerance(level) ? "tolerated" : "fooled", because: answer };
  }
  if (status >= 500 && api!.mustNotFail) return { outcome: "broke", because: answer };
  if (![400, 401, 403].includes(status)) return { outcome: "unknown", because: answer };
  if (isTolerance(level)) return { outcome: refused, because: answer };
  const advice = adviseAnswer(api!, sent.response);
  return {
    outcome: refused,
    because: [answer, ...advice].join(" "),
    ...present({ advised: advice.length !== 0 || undefined }),
  };
}

/** The error codes in the challenges of the answer (RFC 6750 §3; RFC 9449 §7.1). */
export function errorsOf({ headers }: Response): readonly string[] {
  const challenge = headers.get("www-authenticate") ?? "";
  return [...challenge.matchAll(/(?:^|[\s,])error *= *"?([^",\s]+)/gi)].map(([, error]) => error!);
}

/** What a refusal should say (RFC 6750 §3, §3.1; RFC 9449 §7.1). */
function adviseAnswer(
  { status, error, otherError, isMalformed }: ApiAnswer,
  response: Response,
): readonly string[] {
  const errors = errorsOf(response);
  if (isMalformed && response.status === 400 && errors.includes("invalid_request")) return [];
  const isChallenge = response.headers.has("www-authenticate");
  const isNamed = errors.some((each) => each === error || each === otherError);
  return [
    // RFC 9449 §7.1 recommends none for a proof.
    ...(response.status === status || error === "invalid_dpop_proof"
      ? []
      : [`Expected the status ${status}.`]),
    ...(response.status === 401 && !isChallenge ? [lacksChallenge] : []),
    ...(isChallenge && errors.length === 0 ? [lacksError] : []),
    ...(isChallenge && !isNamed ? [`${expectedError}${error}.`] : []),
  ];
}
