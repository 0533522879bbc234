// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a test may say to {@link Calls#listClients}. */
public final class ListClientsOptions {
  final Map<String, Object> members = new LinkedHashMap<>();

  ListClientsOptions() {}

  /** true: includes the secrets. */
  public ListClientsOptions raw(boolean raw) {
    return put("raw", raw);
  }

  private ListClientsOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
