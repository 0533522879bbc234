package io.github.postern;

import io.github.postern.api.Refusal;
import java.util.Map;

/** Postern refused a call. The message is its own sentence, and says what to do. */
public final class RefusedException extends PosternException {
  private static final long serialVersionUID = 1L;

  private final int status;
  private final transient Map<?, ?> problem;

  RefusedException(int status, Map<?, ?> problem) {
    super(describe(status, problem));
    this.status = status;
    this.problem = problem;
  }

  private static String describe(int status, Map<?, ?> problem) {
    if (!(problem.get("error_description") instanceof String sentence)) return "HTTP " + status;
    Object expected = problem.get("expected");
    // A sentence with a suggestion says what was expected.
    boolean isWhole = expected == null || sentence.contains("id you mean");
    return isWhole ? sentence : sentence + " (expected: " + expected + ")";
  }

  /** The status of the answer over HTTP. */
  public int status() {
    return status;
  }

  /** The kind of refusal: {@code invalid_request}, {@code not_found}, {@code refused}, … */
  public String error() {
    return find("error");
  }

  /** Where the mistake is: {@code redirect_uris[0]}. May be null. */
  public String place() {
    return find("place");
  }

  /** What would have been right. May be null. */
  public String expected() {
    return find("expected");
  }

  /** The refusal of the authorization server, or null if it did not refuse. */
  public Refusal refusal() {
    return Values.decode(problem.get("refusal"), Refusal.class, "refusal");
  }

  /** The reason of the authorization server: {@code redirect_uri_unknown}. May be null. */
  public String reason() {
    return refusal() == null ? null : refusal().reason();
  }

  private String find(String name) {
    return Values.decode(problem.get(name), String.class, name);
  }
}
