// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The parameters of the header WWW-Authenticate. */
public final class ResourceChallengeOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ResourceChallengeOptions() {}

  /** Default: the URL of the API. */
  public ResourceChallengeOptions realm(String realm) {
    return put("realm", realm);
  }

  /**
   * Which scopes the challenge names: all that the request needs, only those that its token lacks,
   * or none. Default: needed.
   */
  public ResourceChallengeOptions scope(ResourceChallengeScope scope) {
    return put("scope", scope);
  }

  /**
   * Which scopes the challenge names: all that the request needs, only those that its token lacks,
   * or none. Default: needed.
   */
  public ResourceChallengeOptions withoutScope() {
    return put("scope", false);
  }

  /**
   * Whether the challenge names the URL of the metadata (RFC 9728 §5.1). Default: true, if there is
   * metadata.
   */
  public ResourceChallengeOptions metadata(boolean metadata) {
    return put("metadata", metadata);
  }

  static Map<String, Object> of(Consumer<ResourceChallengeOptions> options) {
    ResourceChallengeOptions chosen = new ResourceChallengeOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ResourceChallengeOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
