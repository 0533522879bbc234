/** What the page of the sign-up shows. */

import type { FormProps } from "../../oauth/contracts/pages.ts";

/** The page of the sign-up posts `request`, and `username`, `name`, `email` and `password`, or `decision=sign_in` or `decision=deny`. */
export interface SignUpProps extends FormProps {
  /** What the form has already: the client's hint, or what a person typed before. */
  readonly fields: SignUpFields;
  readonly needsPassword: boolean;
  /** In characters. */
  readonly shortestPassword: number;
  readonly problem?: SignUpProblem;
}

export type SignUpFields = Readonly<Partial<Record<"username" | "name" | "email", string>>>;

/** `taken`: the page must not say which text another person has, because the front page does not list the people. */
export type SignUpProblem =
  | {
    readonly kind: "fields";
    readonly fields: {
      readonly username?: "missing" | "unfit" | "taken";
      readonly name?: "unfit";
      readonly email?: "malformed" | "taken";
      readonly password?: "missing" | "short";
    };
  }
  | { readonly kind: "taken" | "full" }
  | { readonly kind: "too_many_attempts" | "busy"; readonly secondsToWait: number };
