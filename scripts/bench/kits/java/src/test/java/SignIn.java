import static java.net.URLEncoder.encode;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** A login of a client, with the JDK alone. */
final class SignIn {
  private static final HttpClient HTTP = HttpClient.newHttpClient();
  private static final SecureRandom RANDOM = new SecureRandom();
  private static final String CALLBACK = "http://localhost:3000/callback";

  private SignIn() {}

  static Stream<Integer> tests() {
    return IntStream.range(0, Integer.parseInt(System.getenv("BENCH_TESTS"))).boxed();
  }

  /** {@code approve} plays the browser and the person, and returns the callback. */
  static void run(String authorize, String token, String secret, UnaryOperator<String> approve) throws Exception {
    String verifier = text(), state = text();
    var query = Map.of(
        "response_type", "code", "client_id", "shop", "redirect_uri", CALLBACK, "scope", "openid",
        "state", state, "nonce", text(), "code_challenge_method", "S256", "code_challenge",
        base64(MessageDigest.getInstance("SHA-256").digest(verifier.getBytes(US_ASCII))));
    String callback = approve.apply(authorize + "?" + form(query));
    Map<String, String> answer = Stream.of(URI.create(callback).getRawQuery().split("&"))
        .map(each -> each.split("="))
        .collect(Collectors.toMap(each -> each[0], each -> each[1]));
    assertEquals(state, answer.get("state"));
    var fields = new TreeMap<>(Map.of(
        "grant_type", "authorization_code", "code", answer.get("code"), "redirect_uri", CALLBACK,
        "code_verifier", verifier, "client_id", "shop"));
    if (secret != null) fields.put("client_secret", secret);
    var response = send(HttpRequest.newBuilder(URI.create(token))
        .header("Content-Type", "application/x-www-form-urlencoded")
        .POST(BodyPublishers.ofString(form(fields))));
    assertTrue(response.body().contains("\"id_token\""), response.body());
  }

  /** Returns where the answer sends the browser. */
  static String redirectOf(String url) {
    return send(HttpRequest.newBuilder(URI.create(url))).headers().firstValue("Location").orElseThrow();
  }

  private static HttpResponse<String> send(HttpRequest.Builder request) {
    try {
      return HTTP.send(request.build(), BodyHandlers.ofString());
    } catch (Exception error) {
      throw new IllegalStateException(error);
    }
  }

  private static String form(Map<String, String> fields) {
    return fields.entrySet().stream()
        .map(each -> each.getKey() + "=" + encode(each.getValue(), US_ASCII))
        .collect(Collectors.joining("&"));
  }

  private static String text() {
    byte[] octets = new byte[48];
    RANDOM.nextBytes(octets);
    return base64(octets);
  }

  private static String base64(byte[] octets) {
    return Base64.getUrlEncoder().withoutPadding().encodeToString(octets);
  }
}
