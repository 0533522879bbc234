// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createRoute}. */
public final class CreateRouteOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateRouteOptions() {}

  /** The status. Default: 200. */
  public CreateRouteOptions status(int status) {
    return put("status", status);
  }

  /** The headers. Default of content-type: application/json. */
  public CreateRouteOptions headers(Map<String, String> headers) {
    return put("headers", headers);
  }

  /** Text, or an object or a list, which is sent as JSON. Default: empty. */
  public CreateRouteOptions body(String body) {
    return put("body", body);
  }

  /** Text, or an object or a list, which is sent as JSON. Default: empty. */
  public CreateRouteOptions body(Map<String, ?> body) {
    return put("body", body);
  }

  /** Text, or an object or a list, which is sent as JSON. Default: empty. */
  public CreateRouteOptions body(List<?> body) {
    return put("body", body);
  }

  static Map<String, Object> of(Consumer<CreateRouteOptions> options) {
    CreateRouteOptions chosen = new CreateRouteOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateRouteOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
