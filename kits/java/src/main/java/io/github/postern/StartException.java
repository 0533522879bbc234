package io.github.postern;

import io.github.postern.api.Version;

/** The server does not run: there is no runtime, its flags are wrong, or it is another version. */
public final class StartException extends PosternException {
  StartException(String message) {
    super(message);
  }

  StartException(String message, Throwable cause) {
    super(message, cause);
  }

  /** Throws if a program is not of the version of the kit. */
  static void requireVersion(String program, Object version) {
    if (Version.VERSION.equals(version)) return;
    throw new StartException(
        program + " is Postern " + version + ", and this kit is " + Version.VERSION + ": install the same version of both");
  }
}
