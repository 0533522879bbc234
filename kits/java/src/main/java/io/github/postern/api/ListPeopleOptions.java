// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a test may say to {@link Calls#listPeople}. */
public final class ListPeopleOptions {
  final Map<String, Object> members = new LinkedHashMap<>();

  ListPeopleOptions() {}

  /** true: includes the secrets. */
  public ListPeopleOptions raw(boolean raw) {
    return put("raw", raw);
  }

  private ListPeopleOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
