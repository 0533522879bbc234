// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * The public keys of the client. private_key_jwt and signed requests need them, or jwks_uri. The
 * server encrypts with a key whose use is enc.
 */
public final class ClientJwksOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ClientJwksOptions() {}

  public ClientJwksOptions keys(List<? extends Map<String, ?>> keys) {
    return put("keys", keys);
  }

  static Map<String, Object> of(Consumer<ClientJwksOptions> options) {
    ClientJwksOptions chosen = new ClientJwksOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ClientJwksOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
