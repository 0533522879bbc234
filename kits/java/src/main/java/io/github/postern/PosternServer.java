package io.github.postern;

import io.github.postern.api.ServerCalls;
import java.io.IOException;
import java.io.InputStream;
import java.text.Normalizer;
import java.util.*;

/** The process that the tests share. Each of them has a server of its own in it. */
public final class PosternServer extends ServerCalls implements AutoCloseable {
  /** What {@link #shared} has started, or why it does not start. */
  private static PosternServer shared;

  private static StartException problem;

  final ServerProcess process;

  private PosternServer(Connection connection, ServerProcess process) {
    super(connection);
    this.process = process;
  }

  /**
   * Starts a process with flags of {@code postern start}: {@code start("--alg", "ES256")}. It ends with
   * {@link #close}, and in any case with this program.
   */
  public static PosternServer start(String... flags) {
    return start(Arrays.asList(flags), System.getenv());
  }

  static PosternServer start(List<String> flags, Map<String, String> environment) {
    try {
      ServerProcess process = new ServerProcess(flags, environment);
      return new PosternServer(process.connection, process);
    } catch (IOException error) {
      throw new StartException("The server cannot be started: " + error.getMessage(), error);
    } catch (InterruptedException error) {
      Thread.currentThread().interrupt();
      throw new StartException("The start was interrupted", error);
    }
  }

  /**
   * Returns the process that all tests of this program share. The first caller starts it, with the flags
   * of the system property {@code postern.flags}, or of {@code flags} in {@code postern.properties} on the
   * class path. If {@code POSTERN_URL} is set, it is the server there.
   */
  public static synchronized PosternServer shared() {
    if (problem != null) throw new StartException(problem.getMessage(), problem);
    if (shared == null) {
      Map<String, String> environment = System.getenv();
      try {
        boolean runs = !environment.getOrDefault("POSTERN_URL", "").isBlank();
        shared = runs ? connect(environment) : start(Runtimes.split(readFlags()), environment);
      } catch (StartException error) {
        // After an interrupt, the next start may work.
        if (!Thread.currentThread().isInterrupted()) problem = error;
        throw error;
      }
    }
    return shared;
  }

  private static String readFlags() {
    Properties given = new Properties();
    try (InputStream file = ClassLoader.getSystemResourceAsStream("postern.properties")) {
      if (file != null) given.load(file);
    } catch (IOException error) {
      throw new StartException("postern.properties cannot be read: " + error.getMessage(), error);
    }
    return System.getProperty("postern.flags", given.getProperty("flags", ""));
  }

  /** Uses the server of {@code POSTERN_URL}, which runs already, and checks that it is this version. */
  static PosternServer connect(Map<String, String> environment) {
    String url = environment.get("POSTERN_URL").strip().replaceAll("/+$", "");
    String key = environment.get("POSTERN_CONTROL_TOKEN");
    Connection connection = Connection.to(url + "/_postern", key, environment.get("POSTERN_CERTIFICATE"));
    PosternServer server = new PosternServer(connection, null);
    Object version;
    try {
      Map<String, Object> info = server.call("GET", "/openapi.json", Map.of(), null, "info", Map.class, Object.class);
      version = info.get("version");
      if (version == null) throw new PosternException("it does not tell its version");
    } catch (PosternException | IllegalArgumentException error) {
      throw new StartException(
          "POSTERN_URL is " + url + ", and that is no Postern with --control: " + error.getMessage(), error);
    }
    StartException.requireVersion("The server at POSTERN_URL, " + url + ",", version);
    return server;
  }

  /** The issuer of the shared server itself. */
  @Override
  public String issuer() {
    return showServer().issuer();
  }

  /** What the server said when it was ready, such as {@code proxy}. Empty if it ran already. */
  public Map<String, Object> started() {
    return process == null ? Map.of() : process.started;
  }

  /** The last lines that the server has printed. Empty if it ran already. */
  public String log() {
    return process == null ? "" : process.log();
  }

  /** Creates a server for one test: {@code try (Postern postern = server.tenant("login")) { … }}. */
  public Postern tenant(String name) {
    String plain = Normalizer.normalize(name, Normalizer.Form.NFD).replaceAll("\\p{M}", "");
    String spaced = plain.replaceAll("([a-z0-9])([A-Z])", "$1-$2").toLowerCase(Locale.ROOT);
    String word = spaced.replaceAll("[^a-z0-9]+", "-").replaceAll("^-|-$", "");
    String start = word.isEmpty() ? "test" : word.substring(0, Math.min(40, word.length()));
    return new Postern(this, start + "-" + UUID.randomUUID().toString().substring(0, 8));
  }

  /** Ends the process, if this has started it. */
  @Override
  public void close() {
    if (process != null) process.close();
  }
}
