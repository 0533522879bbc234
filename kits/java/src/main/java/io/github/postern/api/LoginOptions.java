// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#login}. */
public final class LoginOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private LoginOptions() {}

  /** Default: the person of automatic sign-in, or the first person. */
  public LoginOptions username(String username) {
    return put("username", username);
  }

  /** The client id. Default: the first client that people can sign in to, or that may be a device. */
  public LoginOptions client(String client) {
    return put("client", client);
  }

  /** Where the authorization response goes. Default: the first redirect URI of the client. */
  public LoginOptions redirectUri(String redirectUri) {
    return put("redirectUri", redirectUri);
  }

  /**
   * The scopes to request: names separated by single spaces, or a list of names. Default: the scope
   * of the client, or openid profile email offline_access.
   */
  public LoginOptions scope(String... scope) {
    return put("scope", scope.length == 1 ? scope[0] : List.of(scope));
  }

  /** The resource (API) that the token is for, or a list of resources. */
  public LoginOptions resource(String... resource) {
    return put("resource", resource.length == 1 ? resource[0] : List.of(resource));
  }

  /** What the client wants to do in detail (RFC 9396): objects of the configured types. */
  public LoginOptions authorizationDetails(List<? extends Map<String, ?>> authorizationDetails) {
    return put("authorizationDetails", authorizationDetails);
  }

  /** The parameter prompt of the authorization request, such as none or login. */
  public LoginOptions prompt(String prompt) {
    return put("prompt", prompt);
  }

  /** The value of the claim nonce in the ID token. */
  public LoginOptions nonce(String nonce) {
    return put("nonce", nonce);
  }

  /**
   * How the authorization response comes: jwt, query.jwt and fragment.jwt are signed JWTs, whose
   * signature, issuer, audience and time the test kit checks (JARM). Default: query.
   */
  public LoginOptions responseMode(ResponseMode responseMode) {
    return put("responseMode", responseMode);
  }

  /**
   * true: the client pushes its request (RFC 9126). Default: only if the server or the client
   * requires it.
   */
  public LoginOptions pushed(boolean pushed) {
    return put("pushed", pushed);
  }

  /**
   * true: the client signs its request with clientKey (RFC 9101). Default: only if the server or
   * the client requires it.
   */
  public LoginOptions signed(boolean signed) {
    return put("signed", signed);
  }

  /** The private JWK of a client that authenticates with private_key_jwt, or signs its requests. */
  public LoginOptions clientKey(Map<String, ?> clientKey) {
    return put("clientKey", clientKey);
  }

  /**
   * The private JWK of a client whose authorization responses or ID tokens are encrypted (JARM
   * §2.2, OpenID Connect Core §10.2).
   */
  public LoginOptions decryptionKey(Map<String, ?> decryptionKey) {
    return put("decryptionKey", decryptionKey);
  }

  /**
   * true: the client binds its tokens to a new key by DPoP. A private JWK is the key. Default: true
   * for a client with dpop_bound_access_tokens, and otherwise bearer tokens.
   */
  public LoginOptions dpop(boolean dpop) {
    return put("dpop", dpop);
  }

  /**
   * true: the client binds its tokens to a new key by DPoP. A private JWK is the key. Default: true
   * for a client with dpop_bound_access_tokens, and otherwise bearer tokens.
   */
  public LoginOptions dpop(Map<String, ?> dpop) {
    return put("dpop", dpop);
  }

  /**
   * true: the client is a device, which shows a code that the person types into a page (RFC 8628).
   * Default: a code flow with PKCE.
   */
  public LoginOptions device(boolean device) {
    return put("device", device);
  }

  /** More parameters of the authorization request, such as login_hint. */
  public LoginOptions params(Map<String, String> params) {
    return put("params", params);
  }

  /** true: the person denies the request, and the client receives access_denied. */
  public LoginOptions deny(boolean deny) {
    return put("deny", deny);
  }

  /**
   * The second factor: true proves it without a code, also if the request does not need it; a text
   * is the code that the person types; false gives none. Default: true if the request needs it.
   */
  public LoginOptions secondFactor(boolean secondFactor) {
    return put("secondFactor", secondFactor);
  }

  /**
   * The second factor: true proves it without a code, also if the request does not need it; a text
   * is the code that the person types; false gives none. Default: true if the request needs it.
   */
  public LoginOptions secondFactor(String secondFactor) {
    return put("secondFactor", secondFactor);
  }

  /** Any name for a browser. A person who signs in with this browser stays signed in. */
  public LoginOptions browser(String browser) {
    return put("browser", browser);
  }

  static Map<String, Object> of(Consumer<LoginOptions> options) {
    LoginOptions chosen = new LoginOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private LoginOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
