package io.github.postern;

import java.lang.reflect.Method;
import org.junit.jupiter.api.extension.AfterEachCallback;
import org.junit.jupiter.api.extension.BeforeEachCallback;
import org.junit.jupiter.api.extension.ExtensionContext;
import org.junit.jupiter.api.extension.ExtensionContext.Namespace;
import org.junit.jupiter.api.extension.ExtensionContext.Store;
import org.junit.jupiter.api.extension.LifecycleMethodExecutionExceptionHandler;
import org.junit.jupiter.api.extension.ParameterContext;
import org.junit.jupiter.api.extension.ParameterResolutionException;
import org.junit.jupiter.api.extension.ParameterResolver;
import org.junit.jupiter.api.extension.TestExecutionExceptionHandler;
import org.junit.platform.commons.support.AnnotationSupport;

/** What {@link PosternTest} adds to JUnit. */
final class PosternExtension
    implements ParameterResolver,
        BeforeEachCallback,
        AfterEachCallback,
        TestExecutionExceptionHandler,
        LifecycleMethodExecutionExceptionHandler {
  private static final Namespace OWN = Namespace.create(PosternExtension.class);

  /** JUnit 6 closes what a store has, and JUnit 5 does not: the extension does it with both. */
  private record Own(Postern postern) {}

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
      storeOf(context).put(context.getUniqueId(), new Own(own));
    }
    return own;
  }

  @Override
  public void beforeEach(ExtensionContext context) {
    if (isShared(context)) Postern.shared().reset();
  }

  @Override
  public void afterEach(ExtensionContext context) {
    Postern own = find(context);
    if (own != null) own.close();
  }

  @Override
  public void handleTestExecutionException(ExtensionContext context, Throwable failure) throws Throwable {
    throw explain(context, failure);
  }

  @Override
  public void handleBeforeEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    throw explain(context, failure);
  }

  @Override
  public void handleAfterEachMethodExecutionException(ExtensionContext context, Throwable failure)
      throws Throwable {
    // The failure of the test has the report already.
    throw context.getExecutionException().isPresent() ? failure : explain(context, failure);
  }

  private static Throwable explain(ExtensionContext context, Throwable failure) {
    Postern own = isShared(context) ? Postern.shared() : find(context);
    // A test that an assumption ends has not failed.
    boolean isFailure = !failure.getClass().getSimpleName().equals("TestAbortedException");
    if (own != null && isFailure) failure.addSuppressed(new PosternReport(describe(own)));
    return failure;
  }

  private static String describe(Postern postern) {
    String log = postern.server().log();
    String lines = log.isEmpty() ? "" : "\n\nThe last lines of Postern:\n" + log;
    try {
      return "Postern at " + postern.issuer() + "\n" + postern.report() + lines;
    } catch (PosternException error) {
      return error.getMessage() + lines;
    }
  }

  private static Postern find(ExtensionContext context) {
    Own own = storeOf(context).get(context.getUniqueId(), Own.class);
    return own == null ? null : own.postern();
  }

  private static Store storeOf(ExtensionContext context) {
    return context.getStore(OWN);
  }

  private static boolean isShared(ExtensionContext context) {
    for (Class<?> type = context.getRequiredTestClass(); type != null; type = type.getEnclosingClass()) {
      var found = AnnotationSupport.findAnnotation(type, PosternTest.class);
      if (found.isPresent()) return found.get().shared();
    }
    return false;
  }
}
