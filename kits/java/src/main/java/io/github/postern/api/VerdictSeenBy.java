// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * The check that detects the fault. verification checks the issuer, the audience, the signature and
 * the times. scope checks the scope, and authentication when and how the person signed in. server
 * means that the API must ask the server by introspection. Absent if the API has to accept the
 * token.
 */
public enum VerdictSeenBy {
  /** {@code verification} */
  VERIFICATION("verification"),
  /** {@code scope} */
  SCOPE("scope"),
  /** {@code authentication} */
  AUTHENTICATION("authentication"),
  /** {@code server} */
  SERVER("server");

  private final String value;

  VerdictSeenBy(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
