// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#register}. */
public final class RegisterOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private RegisterOptions() {}

  /**
   * The metadata of the client. Default: the redirect URI http://127.0.0.1/callback, and the grant
   * types of a usual client.
   */
  public RegisterOptions metadata(Map<String, ?> metadata) {
    return put("metadata", metadata);
  }

  /** One of registration.initialAccessTokens of the configuration. */
  public RegisterOptions initialAccessToken(String initialAccessToken) {
    return put("initialAccessToken", initialAccessToken);
  }

  static Map<String, Object> of(Consumer<RegisterOptions> options) {
    RegisterOptions chosen = new RegisterOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private RegisterOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
