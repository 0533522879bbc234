import io.github.postern.Postern;
import io.github.postern.PosternTest;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Logins at a tenant of its own for each test, with the kit. */
@PosternTest
class PosternLoginTest {
  @ParameterizedTest
  @MethodSource("SignIn#tests")
  void login(int number, Postern postern) throws Exception {
    String at = postern.issuer() + "/oauth2";
    SignIn.run(at + "/authorize", at + "/token", null, url -> postern.authorize(url, "bob").url());
  }
}
