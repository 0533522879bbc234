package io.github.postern;

import io.github.postern.api.MisbehaviourName;
import io.github.postern.api.MisbehaviourVerdict;
import io.github.postern.api.RecordedRequest;

/** The client did not notice that the server was wrong, or the test does not show whether it did. */
public final class MisbehaviourError extends AssertionError {
  private final transient MisbehaviourVerdict verdict;

  MisbehaviourError(MisbehaviourName name, MisbehaviourVerdict verdict, Throwable cause) {
    super(describe(name, verdict), cause);
    this.verdict = verdict;
  }

  /** What Postern says about the client, with the requests that prove it. */
  public MisbehaviourVerdict verdict() {
    return verdict;
  }

  private static String describe(MisbehaviourName name, MisbehaviourVerdict verdict) {
    StringBuilder text = new StringBuilder(name + ": " + verdict.outcome() + ": " + verdict.because());
    for (RecordedRequest each : verdict.requests()) {
      Object answer = each.status() == null ? each.outcome() : each.status();
      text.append("\n  ").append(each.method()).append(' ').append(each.path()).append(": ").append(answer);
      if (each.refusal() != null) {
        text.append(' ').append(each.refusal().error()).append(": ").append(each.refusal().description());
      }
    }
    return text.toString();
  }
}
