package io.github.postern;

import io.github.postern.api.Gate;
import io.github.postern.api.WatchedGate;
import java.time.Duration;

/** Holds, delays, fails or drops requests until it is closed, which lets held requests go on. */
public final class ActiveGate extends Active<Gate> {
  private static final Duration USUAL = Duration.ofSeconds(5);

  /** How long the server waits at most for one call. */
  private static final long SECONDS_OF_A_WATCH = 30;

  private final Control control;

  ActiveGate(Control control, Gate gate) {
    super(control, "/gates/" + gate.id(), gate);
    this.control = control;
  }

  /** Waits until a request is at the gate, for at most five seconds. */
  public WatchedGate await() {
    return await(1, USUAL);
  }

  /**
   * Waits until so many requests are at the gate.
   *
   * @param arrived How many.
   * @param limit How long at most, in real time. A part of a second counts as a whole one.
   */
  public WatchedGate await(int arrived, Duration limit) {
    long whole = Math.max(0, limit.plusNanos(999_999_999).toSeconds());
    long left = whole;
    while (true) {
      int seconds = (int) Math.min(left, SECONDS_OF_A_WATCH);
      WatchedGate gate =
          control.watchGate(value().id(), options -> options.arrived(arrived).waitSeconds(seconds));
      if (gate.arrived()) return gate;
      left -= seconds;
      if (left == 0) throw late(gate, arrived, whole);
    }
  }

  private static PosternException late(WatchedGate gate, int arrived, long seconds) {
    int waiting = gate.waiting() == null ? 0 : gate.waiting();
    return new PosternException(
        waiting + " of " + arrived + " requests came to the endpoint " + gate.endpoint()
            + " within " + seconds + " s");
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
