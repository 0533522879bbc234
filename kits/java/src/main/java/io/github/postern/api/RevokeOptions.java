// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#revoke}. */
public final class RevokeOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private RevokeOptions() {}

  /**
   * The client id. Default: the client that received the token, if the test kit or the server knows
   * the token.
   */
  public RevokeOptions client(String client) {
    return put("client", client);
  }

  /** The private JWK of a client that authenticates with private_key_jwt. */
  public RevokeOptions clientKey(Map<String, ?> clientKey) {
    return put("clientKey", clientKey);
  }

  static Map<String, Object> of(Consumer<RevokeOptions> options) {
    RevokeOptions chosen = new RevokeOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private RevokeOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
