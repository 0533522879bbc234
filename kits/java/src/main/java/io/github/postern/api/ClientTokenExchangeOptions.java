// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * Which tokens the client may exchange, and for what (RFC 8693). Default: none. (Not a registered
 * name: only this server reads it.)
 */
public final class ClientTokenExchangeOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ClientTokenExchangeOptions() {}

  /** Whose tokens the client may exchange: the ids of clients, and issuers of trust. */
  public ClientTokenExchangeOptions from(String... from) {
    return put("from", List.of(from));
  }

  /**
   * The audiences that the new access tokens may have. If there is only one, a request that names
   * none gets it.
   */
  public ClientTokenExchangeOptions to(String... to) {
    return put("to", List.of(to));
  }

  /**
   * Whose tokens may be the actor_token: the ids of clients, and issuers of trust. With this list,
   * each request for an access token needs an actor_token. Default: none.
   */
  public ClientTokenExchangeOptions actors(String... actors) {
    return put("actors", List.of(actors));
  }

  /**
   * The audiences of this client itself. If another client got a token for one of them, and the
   * token is bound to a key, this client may exchange the token without a proof of the key.
   */
  public ClientTokenExchangeOptions withoutProof(String... withoutProof) {
    return put("without_proof", List.of(withoutProof));
  }

  /** The servers for which the client gets an ID-JAG in exchange for its own token of a person. */
  @SafeVarargs
  @SuppressWarnings("varargs")
  public final ClientTokenExchangeOptions idJag(Consumer<ClientTokenExchangeIdJagOptions>... idJag) {
    return put("id_jag", Arrays.stream(idJag).map(ClientTokenExchangeIdJagOptions::of).toList());
  }

  static Map<String, Object> of(Consumer<ClientTokenExchangeOptions> options) {
    ClientTokenExchangeOptions chosen = new ClientTokenExchangeOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ClientTokenExchangeOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
