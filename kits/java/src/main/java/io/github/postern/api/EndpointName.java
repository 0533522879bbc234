// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** The endpoint. page: the pages, their files, preflights, and paths that the server does not know. */
public enum EndpointName {
  /** {@code authorize} */
  AUTHORIZE("authorize"),
  /** {@code par} */
  PAR("par"),
  /** {@code sign_in} */
  SIGN_IN("sign_in"),
  /** {@code sign_up} */
  SIGN_UP("sign_up"),
  /** {@code second_factor} */
  SECOND_FACTOR("second_factor"),
  /** {@code account} */
  ACCOUNT("account"),
  /** {@code consent} */
  CONSENT("consent"),
  /** {@code token} */
  TOKEN("token"),
  /** {@code register} */
  REGISTER("register"),
  /** {@code device_authorization} */
  DEVICE_AUTHORIZATION("device_authorization"),
  /** {@code device_verification} */
  DEVICE_VERIFICATION("device_verification"),
  /** {@code userinfo} */
  USERINFO("userinfo"),
  /** {@code revoke} */
  REVOKE("revoke"),
  /** {@code introspect} */
  INTROSPECT("introspect"),
  /** {@code logout} */
  LOGOUT("logout"),
  /** {@code jwks} */
  JWKS("jwks"),
  /** {@code metadata} */
  METADATA("metadata"),
  /** {@code resource} */
  RESOURCE("resource"),
  /** {@code page} */
  PAGE("page");

  private final String value;

  EndpointName(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
