// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** How the API uses DPoP. Default: it accepts bearer tokens and bound tokens, without nonces. */
public final class ResourceDpopOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ResourceDpopOptions() {}

  /** Whether it refuses bearer tokens. Default: false. */
  public ResourceDpopOptions required(boolean required) {
    return put("required", required);
  }

  /** Its own nonces, which the authorization server does not accept. Default: off. */
  public ResourceDpopOptions nonces(ResourceDpopNonces nonces) {
    return put("nonces", nonces);
  }

  static Map<String, Object> of(Consumer<ResourceDpopOptions> options) {
    ResourceDpopOptions chosen = new ResourceDpopOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ResourceDpopOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
