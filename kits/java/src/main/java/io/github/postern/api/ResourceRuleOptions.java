// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/**
 * What requests need, in addition to the other rules that match them. A rule without conditions is
 * for every request.
 */
public final class ResourceRuleOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ResourceRuleOptions() {}

  /** The path of the request: /orders is for /orders and all paths below. */
  public ResourceRuleOptions path(String path) {
    return put("path", path);
  }

  /** The method of the request: POST. */
  public ResourceRuleOptions method(String method) {
    return put("method", method);
  }

  /** The JSON-RPC method in the body: tools/call. */
  public ResourceRuleOptions rpc(String rpc) {
    return put("rpc", rpc);
  }

  /** The name of the tool that an MCP client calls. */
  public ResourceRuleOptions tool(String tool) {
    return put("tool", tool);
  }

  /** The scopes that the token must have. */
  public ResourceRuleOptions scope(String... scope) {
    return put("scope", scope.length == 1 ? scope[0] : List.of(scope));
  }

  /** The values of the claim acr, of which the token must have one (RFC 9470). */
  public ResourceRuleOptions acr(String... acr) {
    return put("acr", acr.length == 1 ? acr[0] : List.of(acr));
  }

  /** How long ago the person may have signed in (RFC 9470). */
  public ResourceRuleOptions maxAge(Duration maxAge) {
    return put("maxAge", maxAge);
  }

  /** Refuses every token with insufficient_scope, even a token that has the scope. */
  public ResourceRuleOptions refuse(boolean refuse) {
    return put("refuse", refuse);
  }

  static Map<String, Object> of(Consumer<ResourceRuleOptions> options) {
    ResourceRuleOptions chosen = new ResourceRuleOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ResourceRuleOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
