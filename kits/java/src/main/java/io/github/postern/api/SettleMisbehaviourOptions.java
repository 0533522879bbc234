// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#settleMisbehaviour}. */
public final class SettleMisbehaviourOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private SettleMisbehaviourOptions() {}

  /**
   * How the client's run ended. none: the caller does not know, so only the client's requests
   * count. Default: none.
   */
  public SettleMisbehaviourOptions result(LoginResult result) {
    return put("result", result);
  }

  /**
   * The error of the client: its name, a colon and its message, for example MismatchingIssuer: the
   * issuer is another one. A timeout and a failed connection are no refusal, and an error of the
   * language itself says that the client is broken. Only with the result refusal.
   */
  public SettleMisbehaviourOptions error(String error) {
    return put("error", error);
  }

  static Map<String, Object> of(Consumer<SettleMisbehaviourOptions> options) {
    SettleMisbehaviourOptions chosen = new SettleMisbehaviourOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private SettleMisbehaviourOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
