// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#refresh}. */
public final class RefreshOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private RefreshOptions() {}

  /** The granted scope or a part of it: names separated by single spaces, or a list of names. */
  public RefreshOptions scope(String... scope) {
    return put("scope", scope.length == 1 ? scope[0] : List.of(scope));
  }

  /** The resource (API) that the new token is for, or a list of resources. */
  public RefreshOptions resource(String... resource) {
    return put("resource", resource.length == 1 ? resource[0] : List.of(resource));
  }

  /**
   * What the new access token is for (RFC 9396 §6): objects that were granted. Default: all of
   * them.
   */
  public RefreshOptions authorizationDetails(List<? extends Map<String, ?>> authorizationDetails) {
    return put("authorizationDetails", authorizationDetails);
  }

  /**
   * The client id. Default: the client that received the token, if the test kit or the server knows
   * the token.
   */
  public RefreshOptions client(String client) {
    return put("client", client);
  }

  /** The private JWK of a client that authenticates with private_key_jwt. */
  public RefreshOptions clientKey(Map<String, ?> clientKey) {
    return put("clientKey", clientKey);
  }

  /**
   * The private JWK for the DPoP proof, or true for a new key if the tokens are not bound to one.
   * false sends no proof. Default: the key that the tokens are bound to.
   */
  public RefreshOptions dpop(boolean dpop) {
    return put("dpop", dpop);
  }

  /**
   * The private JWK for the DPoP proof, or true for a new key if the tokens are not bound to one.
   * false sends no proof. Default: the key that the tokens are bound to.
   */
  public RefreshOptions dpop(Map<String, ?> dpop) {
    return put("dpop", dpop);
  }

  static Map<String, Object> of(Consumer<RefreshOptions> options) {
    RefreshOptions chosen = new RefreshOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private RefreshOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
