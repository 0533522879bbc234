// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * encoded refuses an id or secret that is not percent-encoded in the header. By default, encoded
 * and plain ones are accepted. (Not a registered name: only this server reads it.)
 */
public enum ClientSecretBasic {
  /** {@code encoded} */
  ENCODED("encoded");

  private final String value;

  ClientSecretBasic(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
