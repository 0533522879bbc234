// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/**
 * The profile of this client, which fills its members and refuses others. Default: the profile of
 * the server. (Not a registered name: only this server reads it.)
 */
public enum ClientProfile {
  /** {@code fapi2-security} */
  FAPI2_SECURITY("fapi2-security"),
  /** {@code fapi2-message-signing} */
  FAPI2_MESSAGE_SIGNING("fapi2-message-signing");

  private final String value;

  ClientProfile(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
