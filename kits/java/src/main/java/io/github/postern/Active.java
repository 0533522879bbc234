package io.github.postern;

import java.util.Map;

/**
 * What is on until it is closed, as by {@code try (var hook = postern.hook(…)) { … }}.
 *
 * @param <T> What Postern answered when it was switched on.
 */
public class Active<T> implements AutoCloseable {
  final Control control;
  private final String path;
  private final T value;

  Active(Control control, String path, T value) {
    this.control = control;
    this.path = path;
    this.value = value;
  }

  /** What Postern answered when it was switched on, such as its id. */
  public final T value() {
    return value;
  }

  /** Switches it off. */
  @Override
  public final void close() {
    if (control.connection().isClosed()) return;
    try {
      control.send("DELETE", path, Map.of(), null);
    } catch (RefusedException refused) {
      // A reset has removed it already.
      if (!"not_found".equals(refused.error())) throw refused;
    }
  }
}
