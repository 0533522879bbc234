/** The error of a wrong argument. */

/** `expected` is a member of its own, because the control plane sends it as a member of the JSON response. */
export class WrongTerm extends TypeError {
  readonly expected: string;

  /** The message is "Cannot `doing`: expected `expected`, but got `received`", followed by `advice`. */
  constructor(doing: string, expected: string, received: string, advice = "") {
    super(`Cannot ${doing}: expected ${expected}, but got ${received}${advice}`);
    this.expected = expected;
  }
}
