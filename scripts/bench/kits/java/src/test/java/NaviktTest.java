import no.nav.security.mock.oauth2.MockOAuth2Server;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logins at a server of its own for each test, which mock-oauth2-server starts. */
class NaviktTest {
  private final MockOAuth2Server server = new MockOAuth2Server();

  @BeforeEach
  void start() {
    server.start();
  }

  @AfterEach
  void end() {
    server.shutdown();
  }

  @ParameterizedTest
  @MethodSource("SignIn#tests")
  void login(int number) throws Exception {
    login(server);
  }

  static void login(MockOAuth2Server server) throws Exception {
    String authorize = server.authorizationEndpointUrl("shop").toString();
    SignIn.run(authorize, server.tokenEndpointUrl("shop").toString(), "any secret", SignIn::redirectOf);
  }
}
