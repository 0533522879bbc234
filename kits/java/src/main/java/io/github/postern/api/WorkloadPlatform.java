// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The platform that gives the token. */
public enum WorkloadPlatform {
  /** {@code github-actions} */
  GITHUB_ACTIONS("github-actions"),
  /** {@code gitlab-ci} */
  GITLAB_CI("gitlab-ci"),
  /** {@code kubernetes} */
  KUBERNETES("kubernetes"),
  /** {@code spiffe} */
  SPIFFE("spiffe");

  private final String value;

  WorkloadPlatform(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
