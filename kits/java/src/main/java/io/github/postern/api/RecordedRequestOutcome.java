// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** What became of the request. failed is a failure of the server itself. */
public enum RecordedRequestOutcome {
  /** {@code ok} */
  OK("ok"),
  /** {@code refused} */
  REFUSED("refused"),
  /** {@code failed} */
  FAILED("failed");

  private final String value;

  RecordedRequestOutcome(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
