package io.github.postern;

/** The server does not run: there is no runtime, its flags are wrong, or it is another version. */
public final class StartException extends PosternException {
  private static final long serialVersionUID = 1L;

  StartException(String message) {
    super(message);
  }

  StartException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Nothing keeps this one: the next start may work. */
  static StartException interrupted(InterruptedException error) {
    Thread.currentThread().interrupt();
    return new StartException("The start was interrupted", error);
  }
}
