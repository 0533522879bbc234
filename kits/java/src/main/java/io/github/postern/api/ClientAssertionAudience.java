// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * endpoint: the aud of an assertion may also be the URL of the requested endpoint, for older OpenID
 * clients. issuer_string: it must be the issuer as a string, and not a list of one. Default:
 * issuer. (Not a registered name: only this server reads it.)
 */
public enum ClientAssertionAudience {
  /** {@code issuer} */
  ISSUER("issuer"),
  /** {@code issuer_string} */
  ISSUER_STRING("issuer_string"),
  /** {@code endpoint} */
  ENDPOINT("endpoint");

  private final String value;

  ClientAssertionAudience(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
