/** The record of an unanswered request. The forms and the addresses of its pages carry the request sealed. */

import { clockSkew, markMargin } from "../../clock_skew.ts";
import type { OAuthError } from "../../error.ts";
import type { Params } from "../../params.ts";

/** A request whose source, for example a pushed request, has been replaced by the parameters. */
export interface ResolvedRequest {
  readonly params: Params;
  /** The names of the sources, for example `pushed request`. Empty if the query or the form held the parameters. */
  readonly arrivedBy: readonly string[];
  /** The id of the future grant, if the source sets it. Two uses of one source then lead to one grant at most. */
  readonly grantId?: string;
  /** The source refuses the request. The parameters are enough to send the refusal to the client. */
  readonly refusal?: OAuthError;
}

/** Each time the request returns in a form, its parameters are validated again, but its sources are not read again. */
export interface PendingRequest extends ResolvedRequest {
  /** The name of the `RequestKind`. */
  readonly kind: string;
  readonly startedAt: number;
  /** The id of the clock that set `startedAt`. */
  readonly clock?: string;
  /** The id of the future grant. It is fixed from the start, so that a second approval finds the id in use. */
  readonly grantId: string;
  /** Whether the same request can arrive again with the same id, because its source has fixed the id. */
  readonly canArriveAgain: boolean;
  /** Whether a page has asked the person. A form can be sent twice, so the server then also stores a denial. */
  readonly asked: boolean;
  /** The person who signed in for this request, was chosen on the account page, or saw the consent page. */
  readonly subject?: string;
  /** Whether this person signed in to answer this request. This satisfies prompt=login and max_age. */
  readonly signedIn?: true;
  /**
   * Whether the next page is the sign-in page: another person wants to sign in, or the person must sign in again. A server
   * with another clock must not decide again, because it could find that the last sign-in is recent enough.
   */
  readonly mustSignIn?: true;
}

/** The time in seconds that a person has to answer. */
export const formLifetime = 3600;

/** Returns when the forms and addresses of this request expire. */
export function endOf({ startedAt }: Pick<PendingRequest, "startedAt">): number {
  return startedAt + formLifetime;
}

/**
 * Returns until when the store must have the answer to this request. Until then, a server may still accept its forms,
 * and finds by the answer that they were used.
 */
export function keepAnswerUntil(pending: Pick<PendingRequest, "startedAt">): number {
  return endOf(pending) + clockSkew + markMargin;
}
