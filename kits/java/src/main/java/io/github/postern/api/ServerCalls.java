// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import io.github.postern.Connection;
import io.github.postern.Control;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;

/** The calls that only a server has. */
public abstract class ServerCalls extends Control {
  /** The kit has the only subclasses. */
  protected ServerCalls(Connection connection) {
    super(connection);
  }

  /**
   * Mints a token as a platform gives it to a workload without a person: to a pipeline, a pod or a
   * service. A tenant with the name of the platform has its discovery document and keys, at the
   * same paths as the platform.
   *
   * @param platform The platform that gives the token.
   */
  public WorkloadToken mintWorkload(WorkloadPlatform platform) {
    return mintWorkload(platform, options -> {});
  }

  /**
   * Mints a token as a platform gives it to a workload without a person: to a pipeline, a pod or a
   * service. A tenant with the name of the platform has its discovery document and keys, at the
   * same paths as the platform.
   *
   * @param platform The platform that gives the token.
   * @param options What else it takes: each member has a method.
   */
  public WorkloadToken mintWorkload(WorkloadPlatform platform, Consumer<MintWorkloadOptions> options) {
    Map<String, Object> body = MintWorkloadOptions.of(options);
    body.put("platform", platform);
    return call("POST", "/workload", Map.of(), body, null, WorkloadToken.class);
  }

  /** Lists the names of the tenants. */
  public List<String> listTenants() {
    return call("GET", "/tenants", Map.of(), null, "tenants", List.class, String.class);
  }

  /** Lists the snapshots. */
  public List<Snapshot> listSnapshots() {
    return call("GET", "/snapshots", Map.of(), null, "snapshots", List.class, Snapshot.class);
  }

  /**
   * Keeps the people, clients, grants, sessions, keys and clocks of the server and its tenants in
   * memory. Waits for running requests. There are at most 20 snapshots.
   */
  public Snapshot snapshot() {
    return call("POST", "/snapshots", Map.of(), null, null, Snapshot.class);
  }

  /**
   * Returns to a snapshot, which stays. Waits for running requests. Journal, hooks and gates stay,
   * and a newer tenant is reset. With --people, the people of the server stay, too.
   *
   * @param snapshot The id of the snapshot.
   */
  public void restore(String snapshot) {
    call("POST", "/snapshots/" + Calls.part(snapshot) + "/restore", Map.of(), null, null, Void.class);
  }

  /**
   * Removes a snapshot.
   *
   * @param snapshot The id of the snapshot.
   */
  public void removeSnapshot(String snapshot) {
    call("DELETE", "/snapshots/" + Calls.part(snapshot), Map.of(), null, null, Void.class);
  }
}
