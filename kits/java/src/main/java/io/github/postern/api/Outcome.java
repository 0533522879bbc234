// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * pending: the run is not over. noticed: the client refused. unharmed: it showed no check, and did
 * no harm. fooled: it went on as if nothing were wrong. tolerated and broke: it went on, or not,
 * where a correct client goes on. crashed: its own code failed. not_applicable: it does not do what
 * the fault is about. not_reached: it never met the fault. unknown: nothing shows what it did.
 */
public enum Outcome {
  /** {@code pending} */
  PENDING("pending"),
  /** {@code noticed} */
  NOTICED("noticed"),
  /** {@code unharmed} */
  UNHARMED("unharmed"),
  /** {@code fooled} */
  FOOLED("fooled"),
  /** {@code tolerated} */
  TOLERATED("tolerated"),
  /** {@code broke} */
  BROKE("broke"),
  /** {@code crashed} */
  CRASHED("crashed"),
  /** {@code not_applicable} */
  NOT_APPLICABLE("not_applicable"),
  /** {@code not_reached} */
  NOT_REACHED("not_reached"),
  /** {@code hung} */
  HUNG("hung"),
  /** {@code unknown} */
  UNKNOWN("unknown");

  private final String value;

  Outcome(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
