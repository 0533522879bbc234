package io.github.postern;

import io.github.postern.api.Refusal;

/** Postern refused a call. The message is its own sentence, and says what to do. */
public final class RefusedException extends PosternException {
  private final int status;
  private final String error;
  private final String place;
  private final String expected;
  private final transient Refusal refusal;

  /** What Postern answers to a call that it refuses. */
  record Problem(String error, String errorDescription, String place, String expected, Refusal refusal) {}

  RefusedException(int status, Problem problem) {
    super(describe(problem));
    this.status = status;
    this.error = problem.error();
    this.place = problem.place();
    this.expected = problem.expected();
    this.refusal = problem.refusal();
  }

  private static String describe(Problem problem) {
    String sentence = problem.errorDescription();
    if (problem.expected() == null) return sentence;
    String bare = problem.expected().replaceFirst("^must be (one of )?", "");
    // A sentence with a suggestion says what was expected.
    boolean isWhole = sentence.contains(bare) || sentence.contains("id you mean");
    return isWhole ? sentence : sentence + " (expected: " + problem.expected() + ")";
  }

  /** The status of the answer over HTTP. */
  public int status() {
    return status;
  }

  /** The kind of refusal: {@code invalid_request}, {@code not_found}, {@code refused}, … */
  public String error() {
    return error;
  }

  /** Where the mistake is: {@code redirect_uris[0]}. May be null. */
  public String place() {
    return place;
  }

  /** What would have been right. May be null. */
  public String expected() {
    return expected;
  }

  /** The refusal of the authorization server, or null if it did not refuse. */
  public Refusal refusal() {
    return refusal;
  }

  /** The reason of the authorization server: {@code redirect_uri_unknown}. May be null. */
  public String reason() {
    return refusal == null ? null : refusal.reason();
  }
}
