// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link ServerCalls#mintWorkload}. */
public final class MintWorkloadOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private MintWorkloadOptions() {}

  /**
   * The subject of the token. The claims that the platform derives from it follow: the repository,
   * the project, the service account. Default: an example of the platform's documentation.
   */
  public MintWorkloadOptions sub(String sub) {
    return put("sub", sub);
  }

  /**
   * Claims that are added to those of the platform, or replace them, also those that no workload
   * can choose. The default subject follows from them.
   */
  public MintWorkloadOptions claims(Map<String, ?> claims) {
    return put("claims", claims);
  }

  /**
   * Who the token is for. Default: the usual audience of the platform. SPIFFE has none, so it needs
   * this member.
   */
  public MintWorkloadOptions audience(String... audience) {
    return put("audience", audience.length == 1 ? audience[0] : List.of(audience));
  }

  /** How long the token is valid. Default: as long as the platform's tokens live. */
  public MintWorkloadOptions expiresIn(Duration expiresIn) {
    return put("expiresIn", expiresIn);
  }

  static Map<String, Object> of(Consumer<MintWorkloadOptions> options) {
    MintWorkloadOptions chosen = new MintWorkloadOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private MintWorkloadOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
