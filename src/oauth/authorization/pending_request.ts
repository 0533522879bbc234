/** The authorization request while people decide: it travels sealed, in each form and in the address of each page. */

import type { Params } from "../params.ts";

/** The parameters that count. */
export interface ResolvedRequest {
  readonly params: Params;
  /** The sources that they came from: "pushed request". Empty: the query or the form. */
  readonly arrivedBy: readonly string[];
  /** The id that the grant gets, if the source has fixed it: a second approval then finds it taken. */
  readonly grantId?: string;
}

/** Its parameters are parsed and validated again each time a form of it returns, and not resolved again. */
export interface PendingRequest extends ResolvedRequest {
  /** The name of its `RequestKind`. */
  readonly kind: string;
  readonly startedAt: number;
  /** The id that the grant gets, so that a second approval finds it taken. */
  readonly grantId: string;
  /** A page has asked about it. Its forms can be sent more than once, so the answer is kept. */
  readonly asked: boolean;
  /** Whom the request goes on with: who signed in for it, was chosen, or was shown the consent page. */
  readonly subject?: string;
  /** That person signed in to answer this very request. */
  readonly signedIn?: true;
  /** The person at the browser wants another person to sign in. */
  readonly changesPerson?: true;
}

/** Seconds that a person has to answer. */
export const formLifetime = 3600;

/** When the forms and addresses of this request are too old. */
export function endOf({ startedAt }: Pick<PendingRequest, "startedAt">): number {
  return startedAt + formLifetime;
}
