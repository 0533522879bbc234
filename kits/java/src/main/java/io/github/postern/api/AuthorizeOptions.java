// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#authorize}. */
public final class AuthorizeOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private AuthorizeOptions() {}

  /**
   * The username. Default: the person of nextSignIn, the person signed in at browser, the person of
   * automatic sign-in, or the first person.
   */
  public AuthorizeOptions username(String username) {
    return put("username", username);
  }

  /** true: the person denies the request, and the client receives access_denied. */
  public AuthorizeOptions deny(boolean deny) {
    return put("deny", deny);
  }

  /**
   * The second factor: true proves it without a code, also if the request does not need it; a text
   * is the code that the person types; false gives none. Default: true if the request needs it.
   */
  public AuthorizeOptions secondFactor(boolean secondFactor) {
    return put("secondFactor", secondFactor);
  }

  /**
   * The second factor: true proves it without a code, also if the request does not need it; a text
   * is the code that the person types; false gives none. Default: true if the request needs it.
   */
  public AuthorizeOptions secondFactor(String secondFactor) {
    return put("secondFactor", secondFactor);
  }

  /** Any name for a browser. A person who signs in with this browser stays signed in. */
  public AuthorizeOptions browser(String browser) {
    return put("browser", browser);
  }

  static Map<String, Object> of(Consumer<AuthorizeOptions> options) {
    AuthorizeOptions chosen = new AuthorizeOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private AuthorizeOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
