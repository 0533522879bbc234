// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The only algorithm that may sign the client's request objects. Default: any that its keys fit. */
public enum SigningAlgorithm {
  /** {@code RS256} */
  RS256("RS256"),
  /** {@code PS256} */
  PS256("PS256"),
  /** {@code ES256} */
  ES256("ES256"),
  /** {@code EdDSA} */
  EDDSA("EdDSA");

  private final String value;

  SigningAlgorithm(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
