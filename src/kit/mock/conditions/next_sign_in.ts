/** Reads the arguments of `nextSignIn`. */

import { describeValue } from "../../../ground/schema/received.ts";
import { type Configured, requirePerson } from "../terms/configured.ts";
import type { SignInDecision } from "./decisions.ts";

/** The username of the person who signs in, or a denial of the request. */
export type NextSignIn = string | { readonly deny: true };

/** Selects the authorization request that the decision is for. */
export interface NextSignInTerms {
  /** The client of the request. Default: any client. */
  readonly client?: string;
}

export function readNextSignIn(next: NextSignIn, configured: Pick<Configured, "services">): SignInDecision {
  if (typeof next === "string") return { person: requirePerson(next, configured) };
  if (typeof next === "object" && next?.deny === true) return { deny: true };
  throw new TypeError(
    `Cannot say who signs in next: expected a username, or { deny: true }, but got ${describeValue(next)}`,
  );
}
