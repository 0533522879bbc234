// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** Its own nonces, which the authorization server does not accept. Default: off. */
public enum ResourceDpopNonces {
  /** {@code off} */
  OFF("off"),
  /** {@code required} */
  REQUIRED("required"),
  /** {@code rotating} */
  ROTATING("rotating");

  private final String value;

  ResourceDpopNonces(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
