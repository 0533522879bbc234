package io.github.postern;

import io.github.postern.api.MoveClockOptions;
import java.time.Duration;
import java.time.Instant;
import java.util.function.Consumer;

/** Postern's clock. Only a test turns it, and no other clock moves with it. */
public final class PosternClock {
  private final Control control;

  PosternClock(Control control) {
    this.control = control;
  }

  /** The time that Postern takes for now. */
  public Instant now() {
    return control.showClock().now();
  }

  /** Moves the clock forward. */
  public Instant advance(Duration by) {
    return move(options -> options.advance(by));
  }

  /** Moves the clock to a time. */
  public Instant set(Instant to) {
    return move(options -> options.set(to));
  }

  /** Stops the clock now. */
  public Instant freeze() {
    return move(options -> options.freeze(true));
  }

  /** Stops the clock at a time. */
  public Instant freeze(Instant at) {
    return move(options -> options.freeze(at));
  }

  /** Starts a frozen clock again. */
  public Instant resume() {
    return move(MoveClockOptions::resume);
  }

  /** Makes the server's clock wrong by a duration. Zero makes it right again. */
  public Instant skew(Duration by) {
    return move(options -> options.skew(by));
  }

  private Instant move(Consumer<MoveClockOptions> how) {
    return control.moveClock(how).now();
  }
}
