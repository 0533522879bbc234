package io.github.postern;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** A server that this program has started. It ends with this program: kits/README.md has the contract. */
final class ServerProcess {
  private static final long SECONDS_TO_START = 60;
  private static final long SECONDS_TO_END = 20;
  private static final int MOST_LINES = 200;

  private static final List<String> FLAGS = List.of(
      "start", "--control", "--port", "0", "--log", "json", "--quiet", "--no-inspector", "--end-with-input");

  final Process child;
  private final Deque<String> lines = new ConcurrentLinkedDeque<>();
  private final CountDownLatch ready = new CountDownLatch(1);
  private final Thread reader = new Thread(this::read, "postern-output");
  final Connection connection;
  volatile Map<String, Object> started = Map.of();

  ServerProcess(List<String> flags, Map<String, String> environment) throws IOException, InterruptedException {
    String key = UUID.randomUUID().toString() + UUID.randomUUID();
    Path file = extract();
    try {
      List<String> found = Runtimes.find(environment, file);
      List<String> command = Stream.of(found, FLAGS, flags).flatMap(List::stream).toList();
      child = launch(command, environment, key);
      reader.setDaemon(true);
      reader.start();
      try {
        require(command);
        connection = Connection.to((String) started.get("control"), key, (String) started.get("tls_ca"));
      } catch (RuntimeException | InterruptedException error) {
        close();
        throw error;
      }
    } finally {
      // The server has read it whole. So nothing stays when this program is killed. One in use goes later.
      if (!file.toFile().delete()) file.toFile().deleteOnExit();
    }
  }

  private static Process launch(List<String> command, Map<String, String> environment, String key)
      throws IOException {
    ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
    Map<String, String> own = builder.environment();
    own.clear();
    own.putAll(environment);
    // Each of these is a flag.
    own.keySet().removeIf(name -> name.startsWith("POSTERN_"));
    own.put("POSTERN_CONTROL_TOKEN", key);
    own.put("NO_COLOR", "1");
    return builder.start();
  }

  private void read() {
    try (BufferedReader output = child.inputReader(StandardCharsets.UTF_8)) {
      output.lines().forEach(this::look);
    } catch (IOException | UncheckedIOException ended) {
      // The process has been killed.
    } finally {
      ready.countDown();
    }
  }

  /** Looks for the line that says that the server is ready. Of another, people read the message. */
  @SuppressWarnings("unchecked")
  private void look(String line) {
    Map<String, Object> entry = Map.of();
    try {
      if (started.isEmpty() && Json.read(line) instanceof Map<?, ?> read) entry = (Map<String, Object>) read;
    } catch (PosternException noJson) {
      // A runtime may print a line of its own.
    }
    if ("started".equals(entry.get("message"))) {
      started = entry;
      ready.countDown();
      return;
    }
    lines.add(entry.get("message") instanceof String message ? message : line);
    if (lines.size() > MOST_LINES) lines.remove();
  }

  private void require(List<String> command) throws InterruptedException {
    ready.await(SECONDS_TO_START, TimeUnit.SECONDS);
    if (started.isEmpty()) {
      // The log is whole then.
      close();
      throw new StartException(("The server does not start: " + String.join(" ", command) + "\n" + log()).strip());
    }
    StartException.requireVersion(command.get(0), started.get("version"));
  }

  /** The last lines that the server has printed. */
  String log() {
    return String.join("\n", lines);
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
  private static Path extract() throws IOException {
    try (InputStream server = ServerProcess.class.getResourceAsStream("postern.mjs")) {
      if (server == null) {
        throw new StartException("The server is missing in the jar: in a checkout of Postern, run deno task kits");
      }
      return Files.write(Files.createTempFile("postern-", ".mjs"), server.readAllBytes());
    }
  }
}
