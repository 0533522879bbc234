package io.github.postern;

/** What every exception of this kit is. */
public class PosternException extends RuntimeException {
  PosternException(String message) {
    super(message);
  }

  PosternException(String message, Throwable cause) {
    super(message, cause);
  }
}
