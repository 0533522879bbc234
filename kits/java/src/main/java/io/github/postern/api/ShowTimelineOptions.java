// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.util.LinkedHashMap;
import java.util.Map;

/** What a test may say to {@link Calls#showTimeline}. */
public final class ShowTimelineOptions {
  final Map<String, Object> members = new LinkedHashMap<>();

  ShowTimelineOptions() {}

  /** The format. Default: text. */
  public ShowTimelineOptions form(TimelineForm form) {
    return put("form", form);
  }

  private ShowTimelineOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
