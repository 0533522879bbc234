// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#releaseGate}. */
public final class ReleaseGateOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ReleaseGateOptions() {}

  /** The number of the request, where 1 is the first that arrived. Left out: all requests. */
  public ReleaseGateOptions index(int index) {
    return put("index", index);
  }

  static Map<String, Object> of(Consumer<ReleaseGateOptions> options) {
    ReleaseGateOptions chosen = new ReleaseGateOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ReleaseGateOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
