import no.nav.security.mock.oauth2.MockOAuth2Server;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logins at one mock-oauth2-server for all tests. */
class NaviktSharedTest {
  private static final MockOAuth2Server SERVER = new MockOAuth2Server();

  @BeforeAll
  static void start() {
    SERVER.start();
  }

  @AfterAll
  static void end() {
    SERVER.shutdown();
  }

  @ParameterizedTest
  @MethodSource("SignIn#tests")
  void login(int number) throws Exception {
    NaviktTest.login(SERVER);
  }
}
