// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#createClientDocument}. */
public final class CreateClientDocumentOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private CreateClientDocumentOptions() {}

  /** The members of the document. Default: a public client with a name and two redirect URIs. */
  public CreateClientDocumentOptions metadata(Map<String, ?> metadata) {
    return put("metadata", metadata);
  }

  /**
   * The URL of the document. Default: https://client.test/1.json, with another number for each
   * document.
   */
  public CreateClientDocumentOptions url(String url) {
    return put("url", url);
  }

  static Map<String, Object> of(Consumer<CreateClientDocumentOptions> options) {
    CreateClientDocumentOptions chosen = new CreateClientDocumentOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private CreateClientDocumentOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
