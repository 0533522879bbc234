package io.github.postern;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.*;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.platform.commons.support.AnnotationSupport;
import org.opentest4j.TestAbortedException;

/** What {@link PosternTest} adds to JUnit. */
final class PosternExtension implements ParameterResolver, BeforeEachCallback, AfterEachCallback {
  private static final Namespace OWN = Namespace.create(PosternExtension.class);

  /** JUnit 6 closes what a store has, and JUnit 5 does not: the extension does it with both. */
  private record Used(Postern postern) {}

  /** What a failed test shows about its server, below its own stack trace. */
  static final class Report extends Throwable {
    Report(String report) {
      super(report, null, false, false);
    }
  }

  @Override
  public boolean supportsParameter(ParameterContext parameter, ExtensionContext context) {
    Class<?> type = parameter.getParameter().getType();
    return type == Postern.class || type == PosternServer.class;
  }

  @Override
  public Object resolveParameter(ParameterContext parameter, ExtensionContext context) {
    if (parameter.getParameter().getType() == PosternServer.class) return PosternServer.shared();
    if (isShared(context)) return Postern.shared();
    if (context.getTestMethod().isEmpty() || !(parameter.getDeclaringExecutable() instanceof Method)) {
      throw new ParameterResolutionException(
          "Each test has a Postern of its own: take it in the test method or in one with @BeforeEach. "
              + "@PosternTest(shared = true) has one for the whole class.");
    }
    Postern own = find(context);
    if (own == null) {
      own = PosternServer.shared().tenant(context.getRequiredTestMethod().getName());
      context.getStore(OWN).put(context.getUniqueId(), new Used(own));
    }
    return own;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (!isShared(context)) return;
    Postern.shared().reset();
    context.getStore(OWN).put(context.getUniqueId(), new Used(Postern.shared()));
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Postern used = find(context);
    if (used == null) return;
    // A test that an assumption ends has not failed.
    context.getExecutionException()
        .filter(failure -> !(failure instanceof TestAbortedException))
        .ifPresent(failure -> failure.addSuppressed(new Report(describe(used, failure))));
    if (!isShared(context)) used.close();
  }

  private static String describe(Postern postern, Throwable failure) {
    String log = postern.server().log();
    String lines = log.isEmpty() ? "" : "\n\nThe last lines of Postern:\n" + log;
    try {
      String why = postern.explain();
      // A refused call of the test has the explanation in its message.
      boolean isSaid = why != null && String.valueOf(failure.getMessage()).contains(why.strip());
      String report = isSaid ? postern.timeline().strip() : postern.report();
      return "Postern at " + postern.issuer() + "\n" + report + lines;
    } catch (PosternException | IllegalStateException error) {
      return error.getMessage() + lines;
    }
  }

  private static Postern find(ExtensionContext context) {
    Used used = context.getStore(OWN).get(context.getUniqueId(), Used.class);
    return used == null ? null : used.postern();
  }

  private static boolean isShared(ExtensionContext context) {
    for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
      var found = AnnotationSupport.findAnnotation(type, PosternTest.class);
      if (found.isPresent()) return found.get().shared();
    }
    return false;
  }
}
