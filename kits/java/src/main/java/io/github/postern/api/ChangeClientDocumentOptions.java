// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#changeClientDocument}. */
public final class ChangeClientDocumentOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ChangeClientDocumentOptions() {}

  /** The members to change. null removes a member. */
  public ChangeClientDocumentOptions metadata(Map<String, ?> metadata) {
    return put("metadata", metadata);
  }

  /** The answer instead of the document. null restores the document. */
  public ChangeClientDocumentOptions answer(Consumer<DocumentAnswerOptions> answer) {
    return put("answer", DocumentAnswerOptions.of(answer));
  }

  /** Removes {@link #answer answer}. */
  public ChangeClientDocumentOptions removeAnswer() {
    return put("answer", null);
  }

  static Map<String, Object> of(Consumer<ChangeClientDocumentOptions> options) {
    ChangeClientDocumentOptions chosen = new ChangeClientDocumentOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ChangeClientDocumentOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
