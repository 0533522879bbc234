// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.net.URI;

/**
 * Left out: the authorization request and the token request need redirect_uri. 2.1: the token
 * request may leave redirect_uri out, and so may the authorization request if the client has only
 * one redirect URI and the scope lacks openid. 2.0: with require_pkce false, a request with openid
 * in its scope needs no nonce. (Not a registered name: only this server reads it.)
 */
public enum ClientOauthVersion {
  /** {@code 2.0} */
  V2_0("2.0"),
  /** {@code 2.1} */
  V2_1("2.1");

  private final String value;

  ClientOauthVersion(String value) {
    this.value = value;
  }

  /** Returns the value as the control plane spells it. */
  @Override
  public String toString() {
    return value;
  }
}
