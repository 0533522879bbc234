/** Explains for the journal why a token is not valid. Only clients that may see a token learn anything about it. */

import { formatDuration } from "../../schema/duration.ts";
import { clockSkew } from "../clock_skew.ts";
import type { Services } from "../services.ts";
import { grantNeeds } from "./check_grant.ts";
import type { ReadToken, TokenLoss } from "./read_token.ts";

/** The cause, as the `reason` of the advice in the journal. It is no reason of a refusal. */
export type InactiveCause =
  | "inactive_unknown"
  | "inactive_other_issuer"
  | "inactive_signature"
  | "inactive_token_type"
  | "inactive_claims"
  | "inactive_early"
  | "inactive_expired"
  | "inactive_replaced"
  | "inactive_revoked"
  | "inactive_grant";

export interface Inactivity {
  readonly reason: InactiveCause;
  /** The cause, as the end of a sentence: "it has expired". */
  readonly because: string;
  readonly expected?: string;
  readonly received?: string;
}

/** Explains why a token that the server issued is not valid any more, or not yet. */
export function explainLoss(token: ReadToken, loss: TokenLoss, { now }: Services): Inactivity {
  const time = Math.floor(now());
  switch (loss) {
    case "early":
      return {
        reason: "inactive_early",
        because: "it is not valid yet",
        expected: `nbf ${time} or before`,
        received: `nbf ${token.startsAt}${describeFutureIssue(token, time)}`,
      };
    case "expired":
      return {
        reason: "inactive_expired",
        because: "it has expired",
        expected: `exp after ${time}`,
        received: `exp ${token.expiresAt}`,
      };
    case "expired_by_test":
      return {
        reason: "inactive_expired",
        because: "a test let it expire",
        received: "the original of a token that expire() replaced by an expired copy",
      };
    case "replaced":
      return {
        reason: "inactive_replaced",
        because: "a newer refresh token has replaced it",
        expected: "the refresh token of the latest response",
      };
    case "revoked":
      return { reason: "inactive_revoked", because: "it was revoked" };
    default:
      return {
        reason: "inactive_grant",
        because: "its grant or its client is no longer valid",
        expected: grantNeeds[loss],
        received: loss,
      };
  }
}

/** A server never issues a token in the future, so the clocks of two servers differ, or a hook has changed `iat`. */
function describeFutureIssue({ claims: { iat } }: ReadToken, now: number): string {
  return typeof iat === "number" && iat > now + clockSkew
    ? `; its iat is ${formatDuration(iat - now)} in the future, so the clock of a server may be wrong`
    : "";
}
