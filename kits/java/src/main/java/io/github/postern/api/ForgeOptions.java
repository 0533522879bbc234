// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#forge}. */
public final class ForgeOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ForgeOptions() {}

  /** The person of the token. Default: the person of automatic sign-in, or the first person. */
  public ForgeOptions username(String username) {
    return put("username", username);
  }

  /**
   * The client id. Default: the first client that people can sign in to, or for withoutPerson the
   * first confidential one.
   */
  public ForgeOptions client(String client) {
    return put("client", client);
  }

  /**
   * The scope of the token: names separated by single spaces, or a list of names. Default: the
   * scope of the client, or for a person openid profile email offline_access.
   */
  public ForgeOptions scope(String... scope) {
    return put("scope", scope.length == 1 ? scope[0] : List.of(scope));
  }

  /**
   * The audience of an access token. Default: the only configured resource, or the issuer if none
   * is configured.
   */
  public ForgeOptions resource(String... resource) {
    return put("resource", resource.length == 1 ? resource[0] : List.of(resource));
  }

  /** Claims that are added to the default claims or replace them. A refresh token has none. */
  public ForgeOptions claims(Map<String, ?> claims) {
    return put("claims", claims);
  }

  /** The claim nonce of an ID token. */
  public ForgeOptions nonce(String nonce) {
    return put("nonce", nonce);
  }

  /**
   * How long the token is valid. Default: the configured lifetime of this kind. For a refresh
   * token, at most lifetimes.refreshIdle.
   */
  public ForgeOptions expiresIn(Duration expiresIn) {
    return put("expiresIn", expiresIn);
  }

  /** true: a token for the client itself, as from the grant type client_credentials. */
  public ForgeOptions withoutPerson(boolean withoutPerson) {
    return put("withoutPerson", withoutPerson);
  }

  /**
   * true: the token is bound to a new key by DPoP. A private JWK is the key. false: it is not
   * bound. Default: true for a client with dpop_bound_access_tokens, and otherwise a bearer token.
   * For a client with tls_client_certificate_bound_access_tokens, this one is bound to the
   * certificate that the test has created.
   */
  public ForgeOptions dpop(boolean dpop) {
    return put("dpop", dpop);
  }

  /**
   * true: the token is bound to a new key by DPoP. A private JWK is the key. false: it is not
   * bound. Default: true for a client with dpop_bound_access_tokens, and otherwise a bearer token.
   * For a client with tls_client_certificate_bound_access_tokens, this one is bound to the
   * certificate that the test has created.
   */
  public ForgeOptions dpop(Map<String, ?> dpop) {
    return put("dpop", dpop);
  }

  /** The variant of the fault, if it has several. Default: the first. */
  public ForgeOptions variant(String variant) {
    return put("variant", variant);
  }

  static Map<String, Object> of(Consumer<ForgeOptions> options) {
    ForgeOptions chosen = new ForgeOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ForgeOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
