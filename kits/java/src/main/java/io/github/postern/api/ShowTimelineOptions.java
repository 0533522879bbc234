// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#showTimeline}. */
public final class ShowTimelineOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private ShowTimelineOptions() {}

  /** The format. Default: text. */
  public ShowTimelineOptions form(TimelineForm form) {
    return put("form", form);
  }

  static Map<String, Object> of(Consumer<ShowTimelineOptions> options) {
    ShowTimelineOptions chosen = new ShowTimelineOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private ShowTimelineOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
