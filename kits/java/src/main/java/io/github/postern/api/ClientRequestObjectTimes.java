// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * bounded: a request object must have exp and nbf, nbf at most an hour ago and exp at most an hour
 * after it, and its aud may be a list with the issuer (FAPI 2.0 Message Signing). Default: usual.
 * (Not a registered name: only this server reads it.)
 */
public enum ClientRequestObjectTimes {
  /** {@code usual} */
  USUAL("usual"),
  /** {@code bounded} */
  BOUNDED("bounded");

  private final String value;

  ClientRequestObjectTimes(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
