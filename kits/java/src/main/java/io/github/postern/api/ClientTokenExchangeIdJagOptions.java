// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a {@code clientTokenExchangeIdJag} has. */
public final class ClientTokenExchangeIdJagOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ClientTokenExchangeIdJagOptions() {}

  /** The issuer of that server. (Not a registered name: only this server reads it.) */
  public ClientTokenExchangeIdJagOptions audience(String audience) {
    return put("audience", audience);
  }

  /** The id that the client has at that server. */
  public ClientTokenExchangeIdJagOptions clientId(String clientId) {
    return put("client_id", clientId);
  }

  /** The scopes that the client may request there, separated by spaces. Default: every scope. */
  public ClientTokenExchangeIdJagOptions scope(String scope) {
    return put("scope", scope);
  }

  static Map<String, Object> of(Consumer<ClientTokenExchangeIdJagOptions> options) {
    ClientTokenExchangeIdJagOptions chosen = new ClientTokenExchangeIdJagOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ClientTokenExchangeIdJagOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
