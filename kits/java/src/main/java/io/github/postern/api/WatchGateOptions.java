// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#watchGate}. */
public final class WatchGateOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private WatchGateOptions() {}

  /** How many requests must have come since the gate was created. Default: 1. */
  public WatchGateOptions arrived(int arrived) {
    return put("arrived", arrived);
  }

  /** How many seconds of real time the call waits at most. Default: 0. */
  public WatchGateOptions waitSeconds(int waitSeconds) {
    return put("wait", waitSeconds);
  }

  static Map<String, Object> of(Consumer<WatchGateOptions> options) {
    WatchGateOptions chosen = new WatchGateOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private WatchGateOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
