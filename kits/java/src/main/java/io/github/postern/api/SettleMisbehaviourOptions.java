// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a test may say to {@link Calls#settleMisbehaviour}. */
public final class SettleMisbehaviourOptions {
  final Map<String, Object> members = new LinkedHashMap<>();

  SettleMisbehaviourOptions() {}

  /**
   * How the client's run ended. none: the caller does not know, so only the client's requests
   * count. Default: none.
   */
  public SettleMisbehaviourOptions result(LoginResult result) {
    return put("result", result);
  }

  /**
   * The error of the client, for example ValueError: wrong issuer. A TypeError or a timeout is no
   * refusal: with a message of the engine itself, a TypeError says that the client is broken. Only
   * with the result refusal.
   */
  public SettleMisbehaviourOptions error(String error) {
    return put("error", error);
  }

  private SettleMisbehaviourOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
