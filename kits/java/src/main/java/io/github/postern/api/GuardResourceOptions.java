// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#guardResource}. */
public final class GuardResourceOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private GuardResourceOptions() {}

  /** The access token of a request with Authorization: Bearer. Instead of that header. */
  public GuardResourceOptions token(String token) {
    return put("token", token);
  }

  /** The method of the request. Default: GET. */
  public GuardResourceOptions method(String method) {
    return put("method", method);
  }

  /**
   * The URL of the request, or its path, with the query. A DPoP proof must be for this path.
   * Default: the URL of the API.
   */
  public GuardResourceOptions url(String url) {
    return put("url", url);
  }

  /** The headers of the request, such as authorization and dpop. */
  public GuardResourceOptions headers(Map<String, String> headers) {
    return put("headers", headers);
  }

  /** The body of the request, for rules about JSON-RPC. Ignored with GET and HEAD. */
  public GuardResourceOptions body(String body) {
    return put("body", body);
  }

  static Map<String, Object> of(Consumer<GuardResourceOptions> options) {
    GuardResourceOptions chosen = new GuardResourceOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private GuardResourceOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
