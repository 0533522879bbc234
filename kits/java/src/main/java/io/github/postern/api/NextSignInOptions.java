// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#nextSignIn}. */
public final class NextSignInOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private NextSignInOptions() {}

  /** The username of the person. */
  public NextSignInOptions username(String username) {
    return put("username", username);
  }

  /** true: the person denies the request. */
  public NextSignInOptions deny(boolean deny) {
    return put("deny", deny);
  }

  /** The client of the request. Default: any client. */
  public NextSignInOptions client(String client) {
    return put("client", client);
  }

  static Map<String, Object> of(Consumer<NextSignInOptions> options) {
    NextSignInOptions chosen = new NextSignInOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private NextSignInOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
