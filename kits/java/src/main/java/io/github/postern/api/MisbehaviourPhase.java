// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The part of the client's work that meets it. */
public enum MisbehaviourPhase {
  /** {@code login} */
  LOGIN("login"),
  /** {@code refresh} */
  REFRESH("refresh"),
  /** {@code call_api} */
  CALL_API("call_api"),
  /** {@code logout} */
  LOGOUT("logout"),
  /** {@code register} */
  REGISTER("register");

  private final String value;

  MisbehaviourPhase(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
