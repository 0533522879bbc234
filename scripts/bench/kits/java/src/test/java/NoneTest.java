import static org.junit.jupiter.api.Assertions.assertTrue;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What JUnit takes without a server. */
class NoneTest {
  @ParameterizedTest
  @MethodSource("SignIn#tests")
  void nothing(int number) {
    assertTrue(number >= 0);
  }
}
