package io.github.postern;

/** What a test does while something is on. */
@FunctionalInterface
public interface Block {
  /** Runs the client. */
  void run() throws Exception;
}
