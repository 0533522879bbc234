// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * How the client's run ended. none: the caller does not know, so only the client's requests count.
 * Default: none.
 */
public enum LoginResult {
  /** {@code success} */
  SUCCESS("success"),
  /** {@code refusal} */
  REFUSAL("refusal"),
  /** {@code none} */
  NONE("none");

  private final String value;

  LoginResult(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
