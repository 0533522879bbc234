// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createLookAlike}. */
public final class CreateLookAlikeOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateLookAlikeOptions() {}

  /** The id of the client to which the server looks like the provider. Default: every client. */
  public CreateLookAlikeOptions client(String client) {
    return put("client", client);
  }

  /**
   * The host of the tenant, if each tenant of the provider has its own: "shop.eu.auth0.com".
   * Default: an invented one.
   */
  public CreateLookAlikeOptions host(String host) {
    return put("host", host);
  }

  static Map<String, Object> of(Consumer<CreateLookAlikeOptions> options) {
    CreateLookAlikeOptions chosen = new CreateLookAlikeOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateLookAlikeOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
