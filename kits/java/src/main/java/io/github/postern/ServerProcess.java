package io.github.postern;

import io.github.postern.api.Version;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Deque;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** A server that this program has started. It ends with this program: kits/README.md has the contract. */
final class ServerProcess {
  private static final long SECONDS_TO_START = 60;
  private static final long SECONDS_TO_END = 20;
  private static final int MOST_LINES = 200;

  private static final List<String> FLAGS = List.of(
      "start", "--control", "--port", "0", "--log", "json", "--quiet", "--no-inspector", "--end-with-input");

  private final Process child;
  private final Deque<String> lines = new ArrayDeque<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread reader = new Thread(this::read, "postern-output");
  private final Connection connection;
  private volatile Map<String, Object> started = Map.of();

  ServerProcess(List<String> flags, Map<String, String> environment) {
    byte[] random = new byte[32];
    new SecureRandom().nextBytes(random);
    String key = Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    Path file = extract();
    try {
      List<String> command = Runtimes.find(environment, file);
      child = launch(command, flags, environment, key);
      reader.setDaemon(true);
      reader.start();
      try {
        require(command);
        connection = Connection.to((String) started.get("control"), key, (String) started.get("tls_ca"));
      } catch (RuntimeException error) {
        close();
        throw error;
      }
    } finally {
      // The server has read it whole. So nothing stays when this program is killed.
      delete(file);
    }
  }

  private static Process launch(
      List<String> command, List<String> flags, Map<String, String> environment, String key) {
    List<String> whole = new ArrayList<>(command);
    whole.addAll(FLAGS);
    whole.addAll(flags);
    ProcessBuilder builder = new ProcessBuilder(whole).redirectErrorStream(true);
    Map<String, String> own = builder.environment();
    own.clear();
    environment.forEach((name, text) -> {
      // Each of these is a flag.
      if (!name.startsWith("POSTERN_")) own.put(name, text);
    });
    own.put("POSTERN_CONTROL_TOKEN", key);
    own.put("NO_COLOR", "1");
    try {
      return builder.start();
    } catch (IOException error) {
      throw new StartException(command.get(0) + " cannot be started: " + error.getMessage(), error);
    }
  }

  private void read() {
    try (BufferedReader output = child.inputReader(StandardCharsets.UTF_8)) {
      for (String line = output.readLine(); line != null; line = output.readLine()) {
        if (!started.isEmpty()) keep(line);
        else look(line);
      }
    } catch (IOException ended) {
      // The process has been killed.
    } finally {
      ready.countDown();
    }
  }

  private void keep(String line) {
    synchronized (lines) {
      lines.add(line);
      if (lines.size() > MOST_LINES) lines.remove();
    }
  }

  /** Looks for the line that says that the server is ready. Of another, people read the message. */
  @SuppressWarnings("unchecked")
  private void look(String line) {
    Map<String, Object> entry = Map.of();
    try {
      if (Json.read(line) instanceof Map<?, ?> read) entry = (Map<String, Object>) read;
    } catch (PosternException noJson) {
      // A runtime may print a line of its own.
    }
    if ("started".equals(entry.get("message"))) {
      started = entry;
      ready.countDown();
    } else {
      keep(entry.get("message") instanceof String message ? message : line);
    }
  }

  private void require(List<String> command) {
    try {
      ready.await(SECONDS_TO_START, TimeUnit.SECONDS);
    } catch (InterruptedException error) {
      throw StartException.interrupted(error);
    }
    if (started.isEmpty()) {
      // The log is whole then.
      close();
      throw new StartException(
          ("The server does not start: " + String.join(" ", command) + "\n" + log()).strip());
    }
    Object version = started.get("version");
    if (!Version.VERSION.equals(version)) {
      throw new StartException(
          command.get(0) + " is Postern " + version + ", and this kit is " + Version.VERSION
              + ": install the same version of both");
    }
  }

  Connection connection() {
    return connection;
  }

  Map<String, Object> started() {
    return started;
  }

  /** The last lines that the server has printed. */
  String log() {
    synchronized (lines) {
      return String.join("\n", lines);
    }
  }

  long pid() {
    return child.pid();
  }

  /** Ends the server, and waits until it has ended. */
  void close() {
    try {
      child.getOutputStream().close();
    } catch (IOException ended) {
      // It has ended already.
    }
    try {
      if (!child.waitFor(SECONDS_TO_END, TimeUnit.SECONDS)) child.destroyForcibly();
      reader.join(TimeUnit.SECONDS.toMillis(1));
    } catch (InterruptedException error) {
      child.destroyForcibly();
      Thread.currentThread().interrupt();
    }
  }

  /** Writes the server of the jar to a new file, which only this user can read. */
  private static Path extract() {
    try (InputStream server = ServerProcess.class.getResourceAsStream("postern.mjs")) {
      if (server == null) {
        throw new StartException("The server is missing in the jar: in a checkout of Postern, run deno task kits");
      }
      Path file = Files.createTempDirectory("postern-").resolve("postern.mjs");
      Files.copy(server, file);
      return file;
    } catch (IOException error) {
      throw new StartException("The server cannot be written to a temporary folder: " + error, error);
    }
  }

  private static void delete(Path file) {
    try {
      Files.deleteIfExists(file);
      Files.deleteIfExists(file.getParent());
    } catch (IOException inUse) {
      file.getParent().toFile().deleteOnExit();
      file.toFile().deleteOnExit();
    }
  }
}
