// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** The answer instead of the document, if a call has set one. */
public final class DocumentAnswerOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private DocumentAnswerOptions() {}

  /** The status. Default: 200. */
  public DocumentAnswerOptions status(int status) {
    return put("status", status);
  }

  /** The headers. Default: &#123;"content-type": "application/json"&#125;. */
  public DocumentAnswerOptions headers(Map<String, String> headers) {
    return put("headers", headers);
  }

  /** The body as text. Default: empty. */
  public DocumentAnswerOptions body(String body) {
    return put("body", body);
  }

  static Map<String, Object> of(Consumer<DocumentAnswerOptions> options) {
    DocumentAnswerOptions chosen = new DocumentAnswerOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private DocumentAnswerOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
