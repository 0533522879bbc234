// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#listResourceRequests}. */
public final class ListResourceRequestsOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ListResourceRequestsOptions() {}

  /** Only requests of the client with this client id. */
  public ListResourceRequestsOptions client(String client) {
    return put("client", client);
  }

  /** Returns only requests recorded after the request with this id. */
  public ListResourceRequestsOptions after(String after) {
    return put("after", after);
  }

  /** How many seconds of real time the call waits at most. Default: 0. */
  public ListResourceRequestsOptions waitSeconds(int waitSeconds) {
    return put("wait", waitSeconds);
  }

  /** true: includes the secrets. */
  public ListResourceRequestsOptions raw(boolean raw) {
    return put("raw", raw);
  }

  static Map<String, Object> of(Consumer<ListResourceRequestsOptions> options) {
    ListResourceRequestsOptions chosen = new ListResourceRequestsOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ListResourceRequestsOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
