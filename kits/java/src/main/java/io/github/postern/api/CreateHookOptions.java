// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createHook}. */
public final class CreateHookOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateHookOptions() {}

  /** The hook runs only for the first value that matches the endpoint, the client and the person. */
  public CreateHookOptions once(boolean once) {
    return put("once", once);
  }

  /** The id of the client that the hook runs for. Default: any client. */
  public CreateHookOptions client(String client) {
    return put("client", client);
  }

  /** The username of the person that the hook runs for. Default: any person, or none. */
  public CreateHookOptions username(String username) {
    return put("username", username);
  }

  /** Runs the hook only for requests to this endpoint. Only for the hooks jwt, signed and response. */
  public CreateHookOptions endpoint(EndpointName endpoint) {
    return put("endpoint", endpoint);
  }

  static Map<String, Object> of(Consumer<CreateHookOptions> options) {
    CreateHookOptions chosen = new CreateHookOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateHookOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
