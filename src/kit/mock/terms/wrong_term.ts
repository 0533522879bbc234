/** The errors of wrong arguments. */

import { suggestSimilar } from "../../../ground/schema/nearest.ts";
import { describeValue } from "../../../ground/schema/received.ts";

/** `expected` is a member of its own, because the control plane sends it as a member of the JSON response. */
export class WrongTerm extends TypeError {
  readonly expected: string;

  /** The message is "Cannot `doing`: expected `expected`, but got `received`", followed by `advice`. */
  constructor(doing: string, expected: string, received: string, advice = "") {
    super(`Cannot ${doing}: expected ${expected}, but got ${received}${advice}`);
    this.expected = expected;
  }
}

/** Throws a WrongTerm if the value is not a function. A schema cannot describe functions. */
export function requireFunction(doing: string, value: unknown, expected: string): void {
  if (typeof value !== "function") throw new WrongTerm(doing, expected, describeValue(value));
}

/** Throws a TypeError if the value is none of the names. The message begins with "Cannot " and `doing`. */
export function requireOneOf(doing: string, value: unknown, names: readonly string[]): void {
  if (names.some((each) => each === value)) return;
  throw new TypeError(
    `Cannot ${doing} ${describeValue(value)}: expected one of ${names.join(", ")}${
      suggestSimilar(value, names)
    }`,
  );
}
