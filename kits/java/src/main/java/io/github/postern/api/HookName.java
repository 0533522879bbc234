// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The value to change. */
public enum HookName {
  /** {@code metadata} */
  METADATA("metadata"),
  /** {@code jwks} */
  JWKS("jwks"),
  /** {@code authorization_response} */
  AUTHORIZATION_RESPONSE("authorization_response"),
  /** {@code token_response} */
  TOKEN_RESPONSE("token_response"),
  /** {@code access_token} */
  ACCESS_TOKEN("access_token"),
  /** {@code id_token} */
  ID_TOKEN("id_token"),
  /** {@code userinfo} */
  USERINFO("userinfo"),
  /** {@code introspection} */
  INTROSPECTION("introspection"),
  /** {@code logout_token} */
  LOGOUT_TOKEN("logout_token"),
  /** {@code id_jag} */
  ID_JAG("id_jag"),
  /** {@code jwt} */
  JWT("jwt"),
  /** {@code signed} */
  SIGNED("signed"),
  /** {@code response} */
  RESPONSE("response");

  private final String value;

  HookName(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
