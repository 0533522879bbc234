package io.github.postern;

import io.github.postern.api.Gate;
import io.github.postern.api.WatchedGate;
import java.time.Duration;
import java.util.Objects;

/** Holds, delays, fails or drops requests until it is closed, which lets held requests go on. */
public final class ActiveGate extends Active<Gate> {
  /** How long the server waits at most for one call. */
  private static final long SECONDS_OF_A_WATCH = 30;

  ActiveGate(Control control, Gate gate) {
    super(control, "/gates/" + gate.id(), gate);
  }

  /** Waits until a request is at the gate, for at most five seconds. */
  public WatchedGate await() {
    return await(1, Duration.ofSeconds(5));
  }

  /**
   * Waits until so many requests are at the gate.
   *
   * @param arrived How many.
   * @param limit How long at most, in real time. A part of a second counts as a whole one.
   */
  public WatchedGate await(int arrived, Duration limit) {
    long whole = Math.max(0, limit.plusNanos(999_999_999).toSeconds());
    for (long left = whole; ; left -= SECONDS_OF_A_WATCH) {
      int seconds = (int) Math.min(left, SECONDS_OF_A_WATCH);
      WatchedGate gate = control.watchGate(value().id(), options -> options.arrived(arrived).waitSeconds(seconds));
      if (gate.arrived()) return gate;
      if (left > SECONDS_OF_A_WATCH) continue;
      throw new PosternException(
          Objects.requireNonNullElse(gate.waiting(), 0) + " of " + arrived + " requests came to the endpoint "
              + gate.endpoint() + " within " + whole + " s");
    }
  }

  /** Lets all held requests go on. */
  public void release() {
    control.releaseGate(value().id());
  }

  /** Lets the held request with this number go on, from 1. */
  public void release(int index) {
    control.releaseGate(value().id(), options -> options.index(index));
  }
}
