// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#describeEnvironment}. */
public final class DescribeEnvironmentOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private DescribeEnvironmentOptions() {}

  /** The client id. Default: the first suitable client. */
  public DescribeEnvironmentOptions client(String client) {
    return put("client", client);
  }

  /** true: includes the secrets. */
  public DescribeEnvironmentOptions raw(boolean raw) {
    return put("raw", raw);
  }

  static Map<String, Object> of(Consumer<DescribeEnvironmentOptions> options) {
    DescribeEnvironmentOptions chosen = new DescribeEnvironmentOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private DescribeEnvironmentOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
