// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.function.Consumer;

/** What a test may say to {@link Calls#moveClock}. */
public final class MoveClockOptions {
  private final Map<String, Object> members = new LinkedHashMap<>();

  private MoveClockOptions() {}

  /** Moves the clock forward. */
  public MoveClockOptions advance(Duration advance) {
    return put("advance", advance);
  }

  /** Moves the clock to a time. */
  public MoveClockOptions set(Instant set) {
    return put("set", set);
  }

  /** Stops the clock: true for the current time, or another time. */
  public MoveClockOptions freeze() {
    return put("freeze", true);
  }

  /** Stops the clock: true for the current time, or another time. */
  public MoveClockOptions freeze(Instant freeze) {
    return put("freeze", freeze);
  }

  /** true: starts a frozen clock again. */
  public MoveClockOptions resume() {
    return put("resume", true);
  }

  /**
   * Makes Postern's clock wrong: with -90s, the iat of a new token is 90 seconds behind now. Only
   * serverNow changes, and 0 makes the clock right again.
   */
  public MoveClockOptions skew(Duration skew) {
    return put("skew", skew);
  }

  static Map<String, Object> of(Consumer<MoveClockOptions> options) {
    MoveClockOptions chosen = new MoveClockOptions();
    options.accept(chosen);
    return chosen.members;
  }

  private MoveClockOptions put(String name, Object value) {
    members.put(name, value);
    return this;
  }
}
