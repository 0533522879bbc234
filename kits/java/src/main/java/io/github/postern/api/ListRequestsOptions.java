// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#listRequests}. */
public final class ListRequestsOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ListRequestsOptions() {}

  /**
   * The endpoint. page: the pages, their files, preflights, and paths that the server does not
   * know.
   */
  public ListRequestsOptions endpoint(EndpointName endpoint) {
    return put("endpoint", endpoint);
  }

  /** Only requests of the client with this client id. */
  public ListRequestsOptions client(String client) {
    return put("client", client);
  }

  /** Returns only requests recorded after the request with this id. */
  public ListRequestsOptions after(String after) {
    return put("after", after);
  }

  /** How many seconds of real time the call waits at most. Default: 0. */
  public ListRequestsOptions waitSeconds(int waitSeconds) {
    return put("wait", waitSeconds);
  }

  /** true: includes the secrets. */
  public ListRequestsOptions raw(boolean raw) {
    return put("raw", raw);
  }

  static Map<String, Object> of(Consumer<ListRequestsOptions> options) {
    ListRequestsOptions chosen = new ListRequestsOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ListRequestsOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
