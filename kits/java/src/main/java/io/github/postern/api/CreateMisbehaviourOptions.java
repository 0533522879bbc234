// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createMisbehaviour}. */
public final class CreateMisbehaviourOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateMisbehaviourOptions() {}

  /** The id of the client to which the server misbehaves. Default: every client. */
  public CreateMisbehaviourOptions client(String client) {
    return put("client", client);
  }

  /** The username of the person about whom the server misbehaves. Default: everyone. */
  public CreateMisbehaviourOptions username(String username) {
    return put("username", username);
  }

  /** How many answers are wrong. Later answers are right. Default: all answers. */
  public CreateMisbehaviourOptions times(int times) {
    return put("times", times);
  }

  /** The probability of a wrong answer, from 0 to 1, drawn with the mock's seed. Default: 1. */
  public CreateMisbehaviourOptions probability(double probability) {
    return put("probability", probability);
  }

  /** The variant of the misbehaviour, if it has several. Default: the first. */
  public CreateMisbehaviourOptions variant(String variant) {
    return put("variant", variant);
  }

  static Map<String, Object> of(Consumer<CreateMisbehaviourOptions> options) {
    CreateMisbehaviourOptions chosen = new CreateMisbehaviourOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateMisbehaviourOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
