// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#endSession}. */
public final class EndSessionOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private EndSessionOptions() {}

  /** The name of a browser that login or authorize has used. */
  public EndSessionOptions browser(String browser) {
    return put("browser", browser);
  }

  static Map<String, Object> of(Consumer<EndSessionOptions> options) {
    EndSessionOptions chosen = new EndSessionOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private EndSessionOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
