// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The kind of token. Default: an access token. */
public enum TokenKind {
  /** {@code access} */
  ACCESS("access"),
  /** {@code id} */
  ID("id"),
  /** {@code refresh} */
  REFRESH("refresh");

  private final String value;

  TokenKind(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
