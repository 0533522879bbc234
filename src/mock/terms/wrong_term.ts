/** A wrong value, with the expected one apart from the message: the control plane answers it as a member. */

/** A value that cannot be read, or that makes no sense. */
export class WrongTerm extends TypeError {
  readonly expected: string;

  /** `doing` continues "Cannot". `advice` ends the message. */
  constructor(doing: string, expected: string, received: string, advice = "") {
    super(`Cannot ${doing}: expected ${expected}, but got ${received}${advice}`);
    this.expected = expected;
  }
}
