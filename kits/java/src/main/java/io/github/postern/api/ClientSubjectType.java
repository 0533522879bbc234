// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * pairwise: clients on different hosts get different values of sub for the same person. Default:
 * public.
 */
public enum ClientSubjectType {
  /** {@code public} */
  PUBLIC("public"),
  /** {@code pairwise} */
  PAIRWISE("pairwise");

  private final String value;

  ClientSubjectType(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
