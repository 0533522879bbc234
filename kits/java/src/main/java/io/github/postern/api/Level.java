// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * What a standard says about it. must and should: the client has to notice. tolerate: the server is
 * only unusual, and the client has to go on. robustness: a correct client goes on, but no rule says
 * so. hardening: it is wise to notice, but no rule says so.
 */
public enum Level {
  /** {@code must} */
  MUST("must"),
  /** {@code should} */
  SHOULD("should"),
  /** {@code tolerate} */
  TOLERATE("tolerate"),
  /** {@code robustness} */
  ROBUSTNESS("robustness"),
  /** {@code hardening} */
  HARDENING("hardening");

  private final String value;

  Level(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
