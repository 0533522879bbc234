// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * How the authorization response comes: jwt, query.jwt and fragment.jwt are signed JWTs, whose
 * signature, issuer, audience and time the test kit checks (JARM). Default: query.
 */
public enum ResponseMode {
  /** {@code query} */
  QUERY("query"),
  /** {@code fragment} */
  FRAGMENT("fragment"),
  /** {@code jwt} */
  JWT("jwt"),
  /** {@code query.jwt} */
  QUERY_JWT("query.jwt"),
  /** {@code fragment.jwt} */
  FRAGMENT_JWT("fragment.jwt");

  private final String value;

  ResponseMode(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
