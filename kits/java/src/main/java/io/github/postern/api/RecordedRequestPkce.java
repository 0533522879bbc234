// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The code_challenge_method of an authorization request. */
public enum RecordedRequestPkce {
  /** {@code S256} */
  S256("S256"),
  /** {@code none} */
  NONE("none");

  private final String value;

  RecordedRequestPkce(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
