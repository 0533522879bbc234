// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#rotateKeys}. */
public final class RotateKeysOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private RotateKeysOptions() {}

  /**
   * true: the new keys sign immediately, so a client that caches the JWKS meets an unknown kid.
   * false: the new keys are published now and sign 130 seconds later, when caches have them.
   * Default: true.
   */
  public RotateKeysOptions atOnce(boolean atOnce) {
    return put("atOnce", atOnce);
  }

  static Map<String, Object> of(Consumer<RotateKeysOptions> options) {
    RotateKeysOptions chosen = new RotateKeysOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private RotateKeysOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
