// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The values of id jag verdict error. */
public enum IdJagVerdictError {
  /** {@code invalid_grant} */
  INVALID_GRANT("invalid_grant"),
  /** {@code invalid_scope} */
  INVALID_SCOPE("invalid_scope"),
  /** {@code invalid_target} */
  INVALID_TARGET("invalid_target");

  private final String value;

  IdJagVerdictError(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
