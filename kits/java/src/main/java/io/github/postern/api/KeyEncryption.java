// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * Authorization responses as a JWT are encrypted to a key of the client. Default: they are only
 * signed.
 */
public enum KeyEncryption {
  /** {@code RSA-OAEP-256} */
  RSA_OAEP_256("RSA-OAEP-256"),
  /** {@code ECDH-ES} */
  ECDH_ES("ECDH-ES");

  private final String value;

  KeyEncryption(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
