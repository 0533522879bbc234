/** What the page of the second factor shows. */

import type { FormProps, PersonSummary } from "../../oauth/contracts/pages.ts";

/** The page of the second factor posts `request`, and `code` or `decision=deny`. */
export interface SecondFactorProps extends FormProps {
  readonly person: PersonSummary;
  /** `totp`: an authenticator app makes the codes. `code`: the server gives them. */
  readonly kind: "totp" | "code";
  readonly problem?: SecondFactorProblem;
  /** The next code of a demo person, if no other machine can reach the server. `undefined` also if all codes are used. */
  readonly shownCode?: string;
  /** Seconds by which the server's clock is ahead of real time, if an app on a phone makes other codes for it. */
  readonly clockAhead?: number;
}

/** `malformed_code`: not six digits. `used_code`: the code was right, and has been used. */
export type SecondFactorProblem =
  | { readonly kind: "no_code" | "malformed_code" | "wrong_code" | "used_code" }
  | { readonly kind: "too_many_attempts"; readonly secondsToWait: number };
