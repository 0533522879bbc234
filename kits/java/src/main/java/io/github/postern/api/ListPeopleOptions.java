// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#listPeople}. */
public final class ListPeopleOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ListPeopleOptions() {}

  /** true: includes the secrets. */
  public ListPeopleOptions raw(boolean raw) {
    return put("raw", raw);
  }

  static Map<String, Object> of(Consumer<ListPeopleOptions> options) {
    ListPeopleOptions chosen = new ListPeopleOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ListPeopleOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
