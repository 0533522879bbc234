// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a {@code secondFactor} has. */
public final class SecondFactorOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private SecondFactorOptions() {}

  /** totp: an authenticator app makes the codes. code: the server gives them. */
  public SecondFactorOptions kind(SecondFactorKind kind) {
    return put("kind", kind);
  }

  /**
   * The secret of the authenticator app in base32, of at least 16 octets. Default: the server
   * derives one.
   */
  public SecondFactorOptions secret(String secret) {
    return put("secret", secret);
  }

  /**
   * true: each sign-in of this person needs the factor. Default: if the request, the client or the
   * server asks for it.
   */
  public SecondFactorOptions always(boolean always) {
    return put("always", always);
  }

  static Map<String, Object> of(Consumer<SecondFactorOptions> options) {
    SecondFactorOptions chosen = new SecondFactorOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private SecondFactorOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
