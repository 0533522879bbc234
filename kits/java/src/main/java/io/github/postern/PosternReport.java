package io.github.postern;

/** What a failed test shows about its server, below its own stack trace. */
final class PosternReport extends Throwable {
  private static final long serialVersionUID = 1L;

  PosternReport(String report) {
    super(report, null, false, false);
  }
}
