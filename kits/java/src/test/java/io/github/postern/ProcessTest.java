package io.github.postern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.sun.net.httpserver.HttpServer;
import io.github.postern.api.Version;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.function.Executable;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** How the server comes, and how it goes. */
class ProcessTest {
  private static final Path FILE = Path.of("/a/postern.mjs");

  /** A folder that is the whole PATH. */
  @TempDir Path folder;

  private String write(String name, String script) throws Exception {
    Path program = folder.resolve(name);
    Files.writeString(program, "#!/bin/sh\n" + script + "\n");
    Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    return program.toString();
  }

  private List<String> find() throws InterruptedException {
    return Runtimes.find(Map.of("PATH", folder.toString()), FILE);
  }

  private static Map<String, String> with(String name, String value) {
    Map<String, String> environment = new HashMap<>(System.getenv());
    environment.put(name, value);
    return environment;
  }

  private static int statusOf(String url) throws Exception {
    HttpRequest request = HttpRequest.newBuilder(URI.create(url)).build();
    return HttpClient.newHttpClient().send(request, BodyHandlers.discarding()).statusCode();
  }

  @Test
  void theCommandOfTheVariableIsSplitAsAListAndNeedsNoShell() throws Exception {
    String given = "node '/a b/postern.mjs' \"c d\"e $HOME;true";
    assertEquals(
        List.of("node", "/a b/postern.mjs", "c de", "$HOME;true"),
        Runtimes.find(Map.of("POSTERN_COMMAND", given), FILE));
  }

  @Test
  void aPosternOnThePathIsTakenIfItIsThisVersion() throws Exception {
    String node = write("node", "echo v20.12.0");
    String answer = "{\"product\":\"postern-oauth-server\",\"version\":\"%s\"}";
    String own = write("postern", "echo '" + answer.formatted(Version.VERSION) + "'");
    assertEquals(List.of(own), find());
    for (String other : List.of(answer.formatted("99.0.0"), "0.1.0", "{\"product\":\"another\"}", "")) {
      write("postern", "echo '" + other + "'");
      assertEquals(List.of(node, FILE.toString()), find(), other);
    }
    write("postern", "echo '" + answer.formatted(Version.VERSION) + "'; exit 1");
    assertEquals(List.of(node, FILE.toString()), find());
  }

  @Test
  void theFirstRuntimeIsTaken() throws Exception {
    String bun = write("bun", "echo 1.4.5");
    assertEquals(List.of(bun, FILE.toString()), find());
    String deno = write("deno", "echo deno 2.9.6");
    assertEquals(List.of(deno, "run"), find().subList(0, 2));
    assertEquals(FILE.toString(), find().get(find().size() - 1));
    assertFalse(find().contains("--allow-run"));
    for (String old : List.of("v9.12.0", "v18.20.4", "v20.2.0", "v20.11.1", "24.1.0", "another")) {
      write("node", "echo " + old);
      assertEquals(deno, find().get(0), old);
    }
    for (String recent : List.of("v20.12.0", "v20.20.1", "v21.0.0", "v24.1.0", "v30.0.0")) {
      String node = write("node", "echo " + recent);
      assertEquals(List.of(node, FILE.toString()), find(), recent);
    }
  }

  @Test
  void withoutARuntimeTheErrorSaysWhatWasLookedForAndHowToGetOne() throws Exception {
    String other = write("postern", "echo 99.0.0; echo of another program");
    String node = write("node", "echo v18.0.0");
    String deno = write("deno", "exit 1");
    StartException failed = assertThrows(StartException.class, this::find);
    for (String part : List.of(
        "Nothing here can run Postern " + Version.VERSION,
        "a postern " + Version.VERSION + ": " + other + " is 99.0.0\n",
        "Node 20.12 or later: " + node + " is v18.0.0\n",
        "Deno: " + deno + " does not tell its version",
        "Bun: not on the PATH",
        "https://nodejs.org",
        "https://deno.com",
        "POSTERN_COMMAND")) {
      assertTrue(failed.getMessage().contains(part), failed.getMessage());
    }
  }

  @Test
  void aServerHasTheGivenFlagsAndEndsWhenItIsClosed() {
    String issuer;
    try (PosternServer server = PosternServer.start("--alg", "ES256"); Postern postern = server.tenant("x")) {
      String header = postern.login("bob").accessToken().split("\\.")[0];
      String decoded = new String(Base64.getUrlDecoder().decode(header), StandardCharsets.UTF_8);
      assertEquals("ES256", ((Map<?, ?>) Json.read(decoded)).get("alg"));
      issuer = server.issuer();
      assertEquals(issuer, server.started().get("issuer"));
      assertEquals(List.of(postern.name()), server.listTenants());
    }
    assertThrows(IOException.class, () -> statusOf(issuer));
  }

  @Test
  void theKeyIsNeitherAnArgumentNorInTheLogAndNoFileStays() throws Exception {
    PosternServer server = PosternServer.shared();
    String key = server.connection().key();
    assertTrue(key.length() >= 32);
    assertFalse(server.log().contains(key));
    assertEquals(401, statusOf(server.connection().url() + "/tenants"));
    List<String> arguments = List.of(server.process.child.info().arguments().orElseThrow());
    assertFalse(arguments.toString().contains(key));
    String file = arguments.stream().filter(each -> each.endsWith(".mjs")).findFirst().orElseThrow();
    assertFalse(Files.exists(Path.of(file)));
  }

  @Test
  void variablesOfTheUserAreNoFlags() {
    try (PosternServer server = PosternServer.start(List.of(), with("POSTERN_ISSUER", "http://localhost:1"))) {
      assertNotEquals("http://localhost:1", server.issuer());
    }
  }

  @Test
  void aWrongFlagFailsWithTheSentenceOfTheServer() {
    StartException failed =
        assertThrows(StartException.class, () -> PosternServer.start("--confg", "shop.jsonc"));
    assertTrue(failed.getMessage().contains("there is no flag --confg: did you mean --config"), failed.getMessage());
  }

  @Test
  void aPortThatIsTakenFailsWithTheSentenceOfTheServer() throws Exception {
    try (ServerSocket taken = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
      String port = String.valueOf(taken.getLocalPort());
      StartException failed =
          assertThrows(StartException.class, () -> PosternServer.start("--mtls-port", port, "--tls"));
      assertTrue(failed.getMessage().contains(port), failed.getMessage());
      assertFalse(failed.getMessage().contains("{"), failed.getMessage());
    }
  }

  @Test
  void aCommandThatDoesNotExistIsNamed() {
    Map<String, String> environment = with("POSTERN_COMMAND", "/no/such/program");
    StartException failed =
        assertThrows(StartException.class, () -> PosternServer.start(List.of(), environment));
    assertTrue(failed.getMessage().startsWith("The server cannot be started: "), failed.getMessage());
    assertTrue(failed.getMessage().contains("/no/such/program"), failed.getMessage());
  }

  @Test
  void aServerOfAnotherVersionIsRefused() throws Exception {
    String line = "{\"message\":\"started\",\"version\":\"99.0.0\",\"control\":\"http://localhost:1\"}";
    String program = write("other", "echo '" + line + "'; exec cat >/dev/null");
    Map<String, String> environment = with("POSTERN_COMMAND", program);
    StartException failed =
        assertThrows(StartException.class, () -> PosternServer.start(List.of(), environment));
    assertEquals(
        program + " is Postern 99.0.0, and this kit is " + Version.VERSION + ": install the same version of both",
        failed.getMessage());
  }

  @Test
  void aServerThatRunsAlreadyIsUsed() {
    PosternServer shared = PosternServer.shared();
    String url = shared.issuer();
    Map<String, String> given =
        Map.of("POSTERN_URL", url + "/", "POSTERN_CONTROL_TOKEN", shared.connection().key());
    try (PosternServer server = PosternServer.connect(given); Postern postern = server.tenant("x")) {
      assertTrue(postern.login("bob").accessToken().startsWith("ey"));
      assertEquals(Map.of(), server.started());
    }
    // A server that runs already is not ended.
    shared.listTenants();
    StartException keyless =
        assertThrows(StartException.class, () -> PosternServer.connect(Map.of("POSTERN_URL", url)));
    assertTrue(keyless.getMessage().startsWith("POSTERN_URL is " + url + ", and that is no Postern with --control: "));
    StartException unreachable = assertThrows(
        StartException.class, () -> PosternServer.connect(Map.of("POSTERN_URL", "http://localhost:1")));
    assertTrue(unreachable.getMessage().contains("and that is no Postern with --control: Postern does not answer"));
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "[]", "{}", "null", "{\"info\":1}", "{\"info\":{}}", ""})
  void anotherServerAtTheUrlIsNamed(String answer) throws Exception {
    requireNamed(200, answer, "");
  }

  @ParameterizedTest
  @ValueSource(strings = {"<html>", "[]", "{}", "{\"error\":\"other\"}", "{\"error\":1}"})
  void anErrorOfAnotherServerIsShown(String answer) throws Exception {
    requireNamed(502, answer, "HTTP 502: " + answer);
  }

  private static void requireNamed(int status, String answer, String why) throws Exception {
    HttpServer other = HttpServer.create(new InetSocketAddress("localhost", 0), 0);
    other.createContext("/", exchange -> {
      byte[] text = answer.getBytes(StandardCharsets.UTF_8);
      exchange.sendResponseHeaders(status, text.length == 0 ? -1 : text.length);
      exchange.getResponseBody().write(text);
      exchange.close();
    });
    other.start();
    try {
      requireNoPostern("http://localhost:" + other.getAddress().getPort(), why);
    } finally {
      other.stop(0);
    }
  }

  @ParameterizedTest
  @ValueSource(strings = {"localhost:9000", "no url", "http://"})
  void anAddressThatIsNoUrlIsNamed(String address) {
    requireNoPostern(address, "");
  }

  private static void requireNoPostern(String url, String why) {
    StartException refused =
        assertThrows(StartException.class, () -> PosternServer.connect(Map.of("POSTERN_URL", url)));
    String start = "POSTERN_URL is " + url.replaceAll("/+$", "") + ", and that is no Postern with --control: " + why;
    assertTrue(refused.getMessage().startsWith(start), refused.getMessage());
  }

  @Test
  void aNameOfATestIsReadableInTheIssuer() {
    for (Map.Entry<String, String> each : Map.of(
        "çà été", "ca-ete", "bobSignsIn", "bob-signs-in", "日本", "test", "_a_", "a").entrySet()) {
      try (Postern postern = PosternServer.shared().tenant(each.getKey())) {
        assertTrue(postern.name().matches(each.getValue() + "-[0-9a-f]{8}"), postern.name());
      }
    }
  }

  @Test
  void aMissingFileIsNamedInASentence() {
    StartException failed =
        assertThrows(StartException.class, () -> PosternServer.start("--config", "/no/such.jsonc"));
    List<String> lines = failed.getMessage().lines().toList();
    assertEquals("--config /no/such.jsonc: there is no such file", lines.get(lines.size() - 1));
  }

  @Test
  void aServerWhoseCertificateCannotBeReadIsEnded() throws Exception {
    String line = "{\"message\":\"started\",\"version\":\"" + Version.VERSION
        + "\",\"control\":\"https://localhost:1\",\"tls_ca\":\"/no/such.pem\"}";
    Path ended = folder.resolve("ended");
    String program = write("other", "echo '" + line + "'; cat >/dev/null; echo >" + ended);
    Map<String, String> environment = with("POSTERN_COMMAND", program);
    StartException failed =
        assertThrows(StartException.class, () -> PosternServer.start(List.of(), environment));
    assertTrue(failed.getMessage().startsWith("The certificate of Postern cannot be read: /no/such.pem"));
    assertTrue(Files.exists(ended));
  }

  @Test
  void anInterruptedStartSaysSo() throws Exception {
    // A program that ends at once is not waited for.
    write("node", "exec tail -f /dev/null");
    Thread.currentThread().interrupt();
    requireInterrupted(() -> PosternServer.start(List.of(), Map.of("PATH", folder.toString())));
    // The command runs, and does not say that it is ready.
    Map<String, String> environment = with("POSTERN_COMMAND", write("other", "exec cat"));
    Thread.currentThread().interrupt();
    requireInterrupted(() -> PosternServer.start(List.of(), environment));
  }

  private static void requireInterrupted(Executable start) {
    StartException failed = assertThrows(StartException.class, start);
    assertTrue(Thread.interrupted());
    assertEquals("The start was interrupted", failed.getMessage());
  }

  /** The main program of a Java whose first start is interrupted. */
  static final class Interrupted {
    public static void main(String[] arguments) {
      Thread.currentThread().interrupt();
      try {
        PosternServer.shared();
      } catch (StartException failed) {
        System.out.println(failed.getMessage() + " " + Thread.interrupted());
      }
      System.out.println(Postern.shared() == Postern.shared());
    }
  }

  @Test
  void anInterruptedStartIsNotKept() throws Exception {
    Process interrupted = javaOf(Interrupted.class).start();
    String said = new String(interrupted.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    assertEquals("The start was interrupted true\ntrue\n", said);
  }

  /** The main program of a Java without a runtime. */
  static final class Without {
    public static void main(String[] arguments) {
      for (int each = 1; each <= 2; each++) {
        try {
          Postern.shared();
        } catch (Throwable failed) {
          System.out.println(failed.toString().lines().findFirst().orElseThrow());
        }
      }
    }
  }

  @Test
  void aSharedServerThatDoesNotStartSaysSoEachTime() throws Exception {
    ProcessBuilder builder = javaOf(Without.class);
    builder.environment().put("PATH", folder.toString());
    Process without = builder.start();
    String said = new String(without.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    String line = "io.github.postern.StartException: Nothing here can run Postern " + Version.VERSION + ". Looked for:\n";
    assertEquals(line + line, said);
  }

  private static ProcessBuilder javaOf(Class<?> main) {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp", System.getProperty("java.class.path"), main.getName())
        .redirectError(ProcessBuilder.Redirect.INHERIT);
  }

  /** The main program of a Java that is killed. */
  static final class Parent {
    public static void main(String[] arguments) throws Exception {
      PosternServer server = PosternServer.start();
      System.out.println(server.process.child.pid() + " " + server.issuer());
      System.in.read();
    }
  }

  @Test
  @EnabledOnOs(value = OS.LINUX, disabledReason = "tried on Linux only")
  void aKilledParentLeavesNoServer() throws Exception {
    Process parent = javaOf(Parent.class).start();
    String[] said = new BufferedReader(new InputStreamReader(parent.getInputStream(), StandardCharsets.UTF_8))
        .readLine()
        .split(" ");
    assertEquals(200, statusOf(said[1] + "/health"));
    ProcessHandle server = ProcessHandle.of(Long.parseLong(said[0])).orElseThrow();
    parent.destroyForcibly().waitFor();
    server.onExit().join();
    assertThrows(IOException.class, () -> statusOf(said[1] + "/health"));
  }

  @Test
  void tests64AtOnceHaveServersOfTheirOwn() throws Exception {
    Set<String> issuers = ConcurrentHashMap.newKeySet();
    List<Callable<Void>> tests = new ArrayList<>();
    for (int each = 1; each <= 64; each++) {
      int number = each;
      tests.add(() -> {
        try (Postern postern = PosternServer.shared().tenant("test " + number)) {
          postern.addPerson("person-" + number);
          var tokens = postern.login("person-" + number, login -> login.scope("openid"));
          Instant before = postern.clock().freeze();
          Instant after = postern.clock().advance(Duration.ofHours(number));
          assertEquals(Duration.ofHours(number), Duration.between(before, after));
          assertEquals("person-" + number, tokens.claims().get("sub"));
          assertEquals(1, postern.requests(io.github.postern.api.EndpointName.TOKEN).size());
          issuers.add(postern.issuer());
          return null;
        }
      });
    }
    ExecutorService pool = Executors.newFixedThreadPool(64);
    try {
      for (Future<Void> each : pool.invokeAll(tests)) each.get();
    } finally {
      pool.shutdown();
    }
    assertEquals(64, issuers.size());
  }

  @Test
  void aSnapshotIsOfTheWholeServer() {
    try (PosternServer server = PosternServer.start(); Postern own = server.tenant("x")) {
      String taken = server.snapshot().id();
      own.addPerson("carol");
      server.restore(taken);
      assertEquals(2, own.listPeople().size());
      assertEquals(1, server.listSnapshots().size());
    }
  }

  @Test
  void aClientMeetsTheLookAlikeAtTheHostsOfTheProvider() throws Exception {
    try (PosternServer server = PosternServer.start("--like", "github", "--proxy", "0")) {
      URI proxy = URI.create((String) server.started().get("proxy"));
      HttpClient client = HttpClient.newBuilder()
          .proxy(ProxySelector.of(new InetSocketAddress(proxy.getHost(), proxy.getPort())))
          .sslContext(Connection.to("", null, (String) server.started().get("proxy_ca")).sslContext())
          .build();
      String callback = server.authorize(
          "https://github.com/login/oauth/authorize?response_type=code&client_id=shop&state=a-state-of-the-shop"
              + "&redirect_uri=http://localhost:3000/callback",
          "bob").url();
      String code = callback.replaceAll(".*[?&]code=([^&]*).*", "$1");
      HttpRequest asking = HttpRequest.newBuilder(URI.create("https://github.com/login/oauth/access_token"))
          .header("Accept", "application/json")
          .header("Content-Type", "application/x-www-form-urlencoded")
          .POST(BodyPublishers.ofString("client_id=shop&client_secret=any&code=" + code
              + "&redirect_uri=http://localhost:3000/callback"))
          .build();
      Map<?, ?> tokens = (Map<?, ?>) Json.read(client.send(asking, BodyHandlers.ofString()).body());
      HttpRequest user = HttpRequest.newBuilder(URI.create("https://api.github.com/user"))
          .header("Authorization", "Bearer " + tokens.get("access_token"))
          .build();
      HttpResponse<String> answer = client.send(user, BodyHandlers.ofString());
      assertEquals("bob", ((Map<?, ?>) Json.read(answer.body())).get("login"));
    }
  }

  @Test
  void aServerWithTlsIsTrusted() throws Exception {
    try (PosternServer server = PosternServer.start("--tls"); Postern postern = server.tenant("x")) {
      assertTrue(postern.issuer().startsWith("https://"));
      HttpClient client = HttpClient.newBuilder().sslContext(postern.connection().sslContext()).build();
      HttpRequest request = HttpRequest.newBuilder(URI.create(postern.issuer() + "/oauth2/jwks")).build();
      assertEquals(200, client.send(request, BodyHandlers.discarding()).statusCode());
    } catch (IOException error) {
      throw new UncheckedIOException(error);
    }
  }
}
