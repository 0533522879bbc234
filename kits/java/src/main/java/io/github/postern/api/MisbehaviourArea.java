// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

/** Where the server is wrong. */
public enum MisbehaviourArea {
  /** {@code metadata} */
  METADATA("metadata"),
  /** {@code keys} */
  KEYS("keys"),
  /** {@code login} */
  LOGIN("login"),
  /** {@code authorization_response} */
  AUTHORIZATION_RESPONSE("authorization_response"),
  /** {@code jarm} */
  JARM("jarm"),
  /** {@code token_response} */
  TOKEN_RESPONSE("token_response"),
  /** {@code id_token} */
  ID_TOKEN("id_token"),
  /** {@code userinfo} */
  USERINFO("userinfo"),
  /** {@code access_token} */
  ACCESS_TOKEN("access_token"),
  /** {@code refresh} */
  REFRESH("refresh"),
  /** {@code authorization_details} */
  AUTHORIZATION_DETAILS("authorization_details"),
  /** {@code token_exchange} */
  TOKEN_EXCHANGE("token_exchange"),
  /** {@code introspection} */
  INTROSPECTION("introspection"),
  /** {@code revocation} */
  REVOCATION("revocation"),
  /** {@code logout} */
  LOGOUT("logout"),
  /** {@code registration} */
  REGISTRATION("registration"),
  /** {@code client_document} */
  CLIENT_DOCUMENT("client_document"),
  /** {@code pushed_request} */
  PUSHED_REQUEST("pushed_request"),
  /** {@code device} */
  DEVICE("device"),
  /** {@code dpop} */
  DPOP("dpop"),
  /** {@code mtls} */
  MTLS("mtls"),
  /** {@code proof} */
  PROOF("proof"),
  /** {@code certificate} */
  CERTIFICATE("certificate"),
  /** {@code resource} */
  RESOURCE("resource"),
  /** {@code transport} */
  TRANSPORT("transport");

  private final String value;

  MisbehaviourArea(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
