// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#changePerson}. */
public final class ChangePersonOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ChangePersonOptions() {}

  /**
   * The password in plain text, or a hash that hashPassword created. Left out: the person signs in
   * with one click.
   */
  public ChangePersonOptions password(String password) {
    return put("password", password);
  }

  /** The person's sub in tokens. Default: the username. */
  public ChangePersonOptions sub(String sub) {
    return put("sub", sub);
  }

  /** The claims about the person: name, email, roles, and any others. */
  public ChangePersonOptions claims(Map<String, ?> claims) {
    return put("claims", claims);
  }

  /**
   * A second factor, which a request can ask for: totp is an authenticator app, and code is a code
   * that the server gives, as if it sent it. An object has more: the secret of the app, or that
   * each sign-in needs the factor. Default: none.
   */
  public ChangePersonOptions secondFactor(SecondFactorKind secondFactor) {
    return put("secondFactor", secondFactor);
  }

  /**
   * A second factor, which a request can ask for: totp is an authenticator app, and code is a code
   * that the server gives, as if it sent it. An object has more: the secret of the app, or that
   * each sign-in needs the factor. Default: none.
   */
  public ChangePersonOptions secondFactor(Consumer<SecondFactorOptions> secondFactor) {
    return put("secondFactor", SecondFactorOptions.of(secondFactor));
  }

  /** true: the person cannot sign in, and their sign-ins and tokens have no effect. Default: false. */
  public ChangePersonOptions disabled(boolean disabled) {
    return put("disabled", disabled);
  }

  static Map<String, Object> of(Consumer<ChangePersonOptions> options) {
    ChangePersonOptions chosen = new ChangePersonOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ChangePersonOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
