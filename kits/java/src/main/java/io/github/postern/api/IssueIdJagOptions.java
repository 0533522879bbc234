// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#issueIdJag}. */
public final class IssueIdJagOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private IssueIdJagOptions() {}

  /** The person of the ID-JAG. Default: the person of automatic sign-in, or the first person. */
  public IssueIdJagOptions username(String username) {
    return put("username", username);
  }

  /** The scopes of the ID-JAG. */
  public IssueIdJagOptions scope(String... scope) {
    return put("scope", scope.length == 1 ? scope[0] : List.of(scope));
  }

  /** The resource (API) that the ID-JAG is for, or a list of resources. */
  public IssueIdJagOptions resource(String... resource) {
    return put("resource", resource.length == 1 ? resource[0] : List.of(resource));
  }

  /** Claims that are added to the default claims or replace them. */
  public IssueIdJagOptions claims(Map<String, ?> claims) {
    return put("claims", claims);
  }

  /** What is wrong with the ID-JAG. Default: nothing. */
  public IssueIdJagOptions fault(IdJagFault fault) {
    return put("fault", fault);
  }

  static Map<String, Object> of(Consumer<IssueIdJagOptions> options) {
    IssueIdJagOptions chosen = new IssueIdJagOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private IssueIdJagOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
