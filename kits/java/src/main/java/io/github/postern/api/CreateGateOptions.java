// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createGate}. */
public final class CreateGateOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateGateOptions() {}

  /** How many requests fail. Later requests pass. Default: all requests. */
  public CreateGateOptions count(int count) {
    return put("count", count);
  }

  /** How long a delay is. */
  public CreateGateOptions by(Duration by) {
    return put("by", by);
  }

  /** The status: 429, or from 500 to 599. Default: 503. Only for the kind fail. */
  public CreateGateOptions status(int status) {
    return put("status", status);
  }

  /**
   * The header Retry-After, which some clients obey in real time, rounded up to seconds. Default:
   * no header. Only for the kind fail.
   */
  public CreateGateOptions retryAfter(Duration retryAfter) {
    return put("retryAfter", retryAfter);
  }

  static Map<String, Object> of(Consumer<CreateGateOptions> options) {
    CreateGateOptions chosen = new CreateGateOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateGateOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
