// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The error code in the challenge. Absent if the API has to accept the token. */
public enum VerdictError {
  /** {@code invalid_token} */
  INVALID_TOKEN("invalid_token"),
  /** {@code insufficient_scope} */
  INSUFFICIENT_SCOPE("insufficient_scope"),
  /** {@code insufficient_user_authentication} */
  INSUFFICIENT_USER_AUTHENTICATION("insufficient_user_authentication");

  private final String value;

  VerdictError(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
