// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * hold: requests wait for a release. delay: requests wait for a time. fail: requests get an error
 * before the server handles them. drop: the server handles the requests, and the responses are
 * lost.
 */
public enum GateKind {
  /** {@code hold} */
  HOLD("hold"),
  /** {@code delay} */
  DELAY("delay"),
  /** {@code fail} */
  FAIL("fail"),
  /** {@code drop} */
  DROP("drop");

  private final String value;

  GateKind(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
