// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The values of second factor kind. */
public enum SecondFactorKind {
  /** {@code totp} */
  TOTP("totp"),
  /** {@code code} */
  CODE("code");

  private final String value;

  SecondFactorKind(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
