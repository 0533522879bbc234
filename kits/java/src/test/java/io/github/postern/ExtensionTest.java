package io.github.postern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.Test;
import org.junit.platform.engine.TestExecutionResult;
import org.junit.platform.launcher.TestExecutionListener;
import org.junit.platform.launcher.TestIdentifier;
import org.junit.platform.launcher.core.LauncherFactory;
import org.opentest4j.TestAbortedException;

/** What {@link PosternTest} does for a class. */
@PosternTest
class ExtensionTest {
  private static Postern before;
  private Postern ofSetup;

  @BeforeEach
  void takesThatOfItsTest(Postern postern) {
    ofSetup = postern;
  }

  @AfterEach
  void hasItStill(Postern postern) {
    assertSame(ofSetup, postern);
    assertEquals(2, postern.listPeople().size());
    if (before != null) {
      assertNotSame(before, postern);
      // That of the test before has gone.
      assertThrows(IllegalStateException.class, before::listPeople);
    }
    before = postern;
  }

  @Test
  void theFirstTestHasItsOwn(Postern postern, PosternServer server) {
    assertSame(ofSetup, postern);
    assertSame(PosternServer.shared(), server);
    assertTrue(postern.name().matches("the-first-test-has-its-own-[0-9a-f]{8}"), postern.name());
  }

  @Test
  void theSecondTestHasItsOwn(Postern postern) {
    assertSame(ofSetup, postern);
  }

  @Nested
  class Inner {
    @Test
    void aTestInsideHasItsOwn(Postern postern) {
      assertSame(ofSetup, postern);
    }
  }

  @PosternTest(shared = true)
  static class WithShared {
    WithShared(Postern postern) {
      assertSame(Postern.shared(), postern);
    }

    @Test
    void first(Postern postern) {
      assertEquals(2, postern.listPeople().size());
      postern.addPerson("carol");
    }

    @Test
    void second(Postern postern) {
      first(postern);
    }

    @Nested
    class Inner {
      @Test
      void third(Postern postern) {
        assertSame(Postern.shared(), postern);
        first(postern);
      }
    }
  }

  @PosternTest
  static class Failing {
    @Test
    void fails(Postern postern) {
      postern.login("bob");
      assertThrows(RefusedException.class, () -> postern.login(login -> login.params(java.util.Map.of(
          "code_challenge_method", "plain"))));
      throw new AssertionError("of the test");
    }
  }

  @PosternTest
  static class Refused {
    @Test
    void fails(Postern postern) {
      postern.authorize(postern.issuer() + "/oauth2/authorize?client_id=shop&redirect_uri=http://localhost:1/");
    }
  }

  @PosternTest
  static class Aborted {
    @Test
    void stops(Postern postern) {
      class Own extends TestAbortedException {
        private static final long serialVersionUID = 1L;
      }
      throw new Own();
    }
  }

  @PosternTest
  static class FailingAtItsEnd {
    @AfterEach
    void fails(Postern postern) {
      throw new AssertionError("of the end");
    }

    @Test
    void signsIn(Postern postern) {
      postern.login("bob");
    }
  }

  static class FailingTwice extends Failing {
    @AfterEach
    void failsAgain(Postern postern) {
      throw new AssertionError("of the end");
    }
  }

  @PosternTest
  static class Early {
    @BeforeAll
    static void asksTooEarly(Postern postern) {}

    @Test
    void none() {}
  }

  private static Throwable failureOf(Class<?> type) {
    var failures = new java.util.ArrayList<Throwable>();
    LauncherFactory.create().execute(request().selectors(selectClass(type)).build(), new TestExecutionListener() {
      @Override
      public void executionFinished(TestIdentifier test, TestExecutionResult result) {
        result.getThrowable().ifPresent(failures::add);
      }
    });
    assertTrue(failures.size() <= 1, failures.toString());
    return failures.isEmpty() ? null : failures.get(0);
  }

  @Test
  void testsThatShareAServerFindItReset() {
    assertEquals(null, failureOf(WithShared.class));
  }

  @Test
  void aFailedTestShowsTheFlowAndWhyTheLastRequestWasRefused() {
    Throwable failure = failureOf(Failing.class);
    assertEquals("of the test", failure.getMessage());
    String shown = List.of(failure.getSuppressed()).toString();
    for (String part : List.of(
        "Postern at http://localhost:", "/oauth2/token", "challenge_method")) {
      assertTrue(shown.contains(part), shown);
    }
    assertNotEquals("", shown);
  }

  @Test
  void theExplanationIsShownOnce() {
    Throwable failure = failureOf(Refused.class);
    assertEquals("response_type_missing", ((RefusedException) failure).reason());
    String shown = failure.getSuppressed()[0].getMessage();
    assertTrue(failure.getMessage().contains("\nfix "), failure.getMessage());
    assertTrue(shown.contains("/oauth2/authorize"), shown);
    assertFalse(shown.contains("\nfix "), shown);
    // The line that says that the server is ready tells nothing about a failure.
    assertFalse(shown.contains("The last lines of Postern"), shown);
  }

  @Test
  void aTestThatAnAssumptionEndsShowsNothing() {
    assertEquals(0, failureOf(Aborted.class).getSuppressed().length);
  }

  @Test
  void aFailureAfterATestShowsTheFlow() {
    Throwable failure = failureOf(FailingAtItsEnd.class);
    assertEquals("of the end", failure.getMessage());
    assertEquals(1, failure.getSuppressed().length);
    String shown = failure.getSuppressed()[0].toString();
    for (String part : List.of("Postern at http://localhost:", "/oauth2/token")) {
      assertTrue(shown.contains(part), shown);
    }
  }

  @Test
  void aTestThatFailsTwiceShowsTheFlowOnce() {
    Throwable failure = failureOf(FailingTwice.class);
    assertEquals("of the test", failure.getMessage());
    List<Throwable> all = List.of(failure.getSuppressed());
    assertEquals(2, all.size(), all.toString());
    assertEquals(1, all.stream().filter(PosternExtension.Report.class::isInstance).count());
    assertEquals("of the end", all.get(0).getMessage());
    assertEquals(0, all.get(0).getSuppressed().length);
  }

  @Test
  void aServerForTheWholeClassMustBeShared() {
    String said = failureOf(Early.class).getMessage();
    assertTrue(said.contains("take it in the test method or in one with @BeforeEach"), said);
    assertTrue(said.contains("@PosternTest(shared = true)"), said);
  }
}
