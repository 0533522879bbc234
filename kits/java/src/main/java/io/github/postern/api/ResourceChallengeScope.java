// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The values of resource challenge scope. */
public enum ResourceChallengeScope {
  /** {@code needed} */
  NEEDED("needed"),
  /** {@code missing} */
  MISSING("missing");

  private final String value;

  ResourceChallengeScope(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
