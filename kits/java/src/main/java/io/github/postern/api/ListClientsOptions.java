// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#listClients}. */
public final class ListClientsOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ListClientsOptions() {}

  /** true: includes the secrets. */
  public ListClientsOptions raw(boolean raw) {
    return put("raw", raw);
  }

  static Map<String, Object> of(Consumer<ListClientsOptions> options) {
    ListClientsOptions chosen = new ListClientsOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ListClientsOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
