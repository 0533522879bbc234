// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The answer to a request that the API accepts. Default: the claims of the token, as JSON. */
public final class ResourceAnswerOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ResourceAnswerOptions() {}

  /** The status. Default: 200. */
  public ResourceAnswerOptions status(int status) {
    return put("status", status);
  }

  /** The headers. Default of content-type: application/json. */
  public ResourceAnswerOptions headers(Map<String, String> headers) {
    return put("headers", headers);
  }

  /** Text, or an object or a list, which is sent as JSON. Default: the claims of the token. */
  public ResourceAnswerOptions body(String body) {
    return put("body", body);
  }

  /** Text, or an object or a list, which is sent as JSON. Default: the claims of the token. */
  public ResourceAnswerOptions body(Map<String, ?> body) {
    return put("body", body);
  }

  /** Text, or an object or a list, which is sent as JSON. Default: the claims of the token. */
  public ResourceAnswerOptions body(List<?> body) {
    return put("body", body);
  }

  static Map<String, Object> of(Consumer<ResourceAnswerOptions> options) {
    ResourceAnswerOptions chosen = new ResourceAnswerOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ResourceAnswerOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
