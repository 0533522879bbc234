/** Misuse with what would have fitted beside its message: over HTTP that is a member of its own. */

/** A term that cannot be read, or that makes no sense. */
export class WrongTerm extends TypeError {
  readonly expected: string;

  /** `doing` continues "Cannot"; `advice` stands behind it all. */
  constructor(doing: string, expected: string, came: string, advice = "") {
    super(`Cannot ${doing}: expected ${expected}, but got ${came}${advice}`);
    this.expected = expected;
  }
}
