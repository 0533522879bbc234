package io.github.postern;

import static io.github.postern.api.EndpointName.JWKS;
import static io.github.postern.api.GateKind.HOLD;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import com.sun.net.httpserver.HttpServer;
import io.github.postern.api.Version;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;

/** How long a test waits at a gate. The server here never waits itself. */
class GateTest {
  private static final String GATE =
      "{\"id\":\"gate-1\",\"endpoint\":\"jwks\",\"kind\":\"hold\",\"waiting\":1,\"arrived\":%s}";

  private final List<String> waits = new CopyOnWriteArrayList<>();

  private String await(Duration limit, int arrives) throws Exception {
    HttpServer server = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    server.createContext("/", exchange -> {
      String query = exchange.getRequestURI().getQuery();
      if (query != null) waits.add(query.replaceAll(".*wait=", ""));
      boolean isVersion = exchange.getRequestURI().getPath().endsWith("/openapi.json");
      String version = "{\"info\":{\"version\":\"" + Version.VERSION + "\"}}";
      String answer = isVersion ? version : GATE.formatted(waits.size() == arrives);
      byte[] text = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(200, text.length);
      exchange.getResponseBody().write(text);
      exchange.close();
    });
    server.start();
    String url = "http://localhost:" + server.getAddress().getPort();
    try (PosternServer postern = PosternServer.connect(Map.of("POSTERN_URL", url));
        ActiveGate gate = postern.gate(JWKS, HOLD)) {
      if (arrives > 0) return String.valueOf(gate.await(2, limit).arrived());
      return assertThrows(PosternException.class, () -> gate.await(2, limit)).getMessage();
    } finally {
      server.stop(0);
    }
  }

  @Test
  void asksAgainUntilTheLimit() throws Exception {
    assertEquals("true", await(Duration.ofSeconds(90), 3));
    assertEquals(List.of("30", "30", "30"), waits);
  }

  @Test
  void saysHowManyHaveCome() throws Exception {
    assertEquals("1 of 2 requests came to the endpoint jwks within 61 s", await(Duration.ofSeconds(61), 0));
    assertEquals(List.of("30", "30", "1"), waits);
  }

  @Test
  void aPartOfASecondCountsAsAWholeOne() throws Exception {
    assertEquals("1 of 2 requests came to the endpoint jwks within 1 s", await(Duration.ofNanos(1), 0));
    assertEquals("1 of 2 requests came to the endpoint jwks within 2 s", await(Duration.ofMillis(1001), 0));
    assertEquals("1 of 2 requests came to the endpoint jwks within 2 s", await(Duration.ofSeconds(2), 0));
    assertEquals("1 of 2 requests came to the endpoint jwks within 0 s", await(Duration.ofSeconds(-5), 0));
    assertEquals(List.of("1", "2", "2", "0"), waits);
  }
}
