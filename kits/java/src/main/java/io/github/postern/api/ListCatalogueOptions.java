// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#listCatalogue}. */
public final class ListCatalogueOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ListCatalogueOptions() {}

  /** Where the server is wrong. */
  public ListCatalogueOptions area(MisbehaviourArea area) {
    return put("area", area);
  }

  /**
   * What a standard says about it. must and should: the client has to notice. tolerate: the server
   * is only unusual, and the client has to go on. robustness: a correct client goes on, but no rule
   * says so. hardening: it is wise to notice, but no rule says so.
   */
  public ListCatalogueOptions level(Level level) {
    return put("level", level);
  }

  /** Only those that say these words, for example: wrong audience. */
  public ListCatalogueOptions words(String words) {
    return put("words", words);
  }

  static Map<String, Object> of(Consumer<ListCatalogueOptions> options) {
    ListCatalogueOptions chosen = new ListCatalogueOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ListCatalogueOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
