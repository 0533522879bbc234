// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#approveDevice}. */
public final class ApproveDeviceOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ApproveDeviceOptions() {}

  /** Default: the person of automatic sign-in, or the first person. */
  public ApproveDeviceOptions username(String username) {
    return put("username", username);
  }

  /** true: the person denies the login, and the device receives access_denied. */
  public ApproveDeviceOptions deny(boolean deny) {
    return put("deny", deny);
  }

  /** Any name for a browser. A person who signs in with this browser stays signed in. */
  public ApproveDeviceOptions browser(String browser) {
    return put("browser", browser);
  }

  static Map<String, Object> of(Consumer<ApproveDeviceOptions> options) {
    ApproveDeviceOptions chosen = new ApproveDeviceOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ApproveDeviceOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
