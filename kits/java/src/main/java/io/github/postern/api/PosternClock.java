// `deno task kits` makes this file from the rows of the control plane: do not edit it.
package io.github.postern.api;

import java.time.Duration;
import java.time.Instant;
import java.util.Map;

/** Postern's clock. Only a test turns it, and no other clock moves with it. */
public final class PosternClock {
  private final Calls calls;

  /** The kit makes it: {@code postern.clock()}. */
  public PosternClock(Calls calls) {
    this.calls = calls;
  }

  /** The time that Postern takes for now. */
  public Instant now() {
    return calls.showClock().now();
  }

  /** Moves the clock forward. */
  public Instant advance(Duration advance) {
    return put("advance", advance);
  }

  /** Moves the clock to a time. */
  public Instant set(Instant set) {
    return put("set", set);
  }

  /** Stops the clock: true for the current time, or another time. */
  public Instant freeze() {
    return put("freeze", true);
  }

  /** Stops the clock: true for the current time, or another time. */
  public Instant freeze(Instant freeze) {
    return put("freeze", freeze);
  }

  /** true: starts a frozen clock again. */
  public Instant resume() {
    return put("resume", true);
  }

  /**
   * Makes Postern's clock wrong: with -90s, the iat of a new token is 90 seconds behind now. Only
   * serverNow changes, and 0 makes the clock right again.
   */
  public Instant skew(Duration skew) {
    return put("skew", skew);
  }

  private Instant put(String name, Object value) {
    return calls.<Clock>call("POST", "/clock", Map.of(), Map.of(name, value), null, Clock.class).now();
  }
}
