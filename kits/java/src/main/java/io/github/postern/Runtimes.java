package io.github.postern;

import io.github.postern.api.Version;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.*;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Finds a program that runs the server: kits/README.md has the order. */
final class Runtimes {
  private static final long SECONDS_TO_ANSWER = 5;

  private static final Pattern WORD = Pattern.compile("(?:[^\\s'\"]|'[^']*'|\"[^\"]*\")+");

  private static final String REMEDIES = """
      Three ways to get one:
        https://nodejs.org, 20.12 or later   the package of your system, or actions/setup-node in CI
        https://deno.com or https://bun.sh   on the PATH
        POSTERN_COMMAND="…"                  the command of a Postern that you have""";

  private Runtimes() {}

  /** A program that may run the server, if it answers the question so. The arguments are before those of the server. */
  private record Candidate(String name, String what, String question, String fits, String... arguments) {}

  /** Returns the command that runs the server. Throws if there is none, and says what was looked for. */
  static List<String> find(Map<String, String> environment, Path file) throws InterruptedException {
    String given = environment.getOrDefault("POSTERN_COMMAND", "");
    if (!given.isBlank()) return split(given);
    String server = file.toString();
    String own = "{\"product\":\"postern-oauth-server\",\"version\":\"" + Version.VERSION + "\"}";
    List<Candidate> candidates = List.of(
        new Candidate("postern", "a postern " + Version.VERSION, "version --json", Pattern.quote(own)),
        new Candidate(
            "node", "Node 20.12 or later", "--version", "v(20\\.(1[2-9]|[2-9]\\d)|2[1-9]|[3-9]\\d)\\..*", server),
        new Candidate(
            "deno", "Deno", "--version", ".+", "run", "--quiet", "--no-config", "--no-lock", "--no-prompt",
            "--allow-net", "--allow-sys", "--allow-env", "--allow-read", "--allow-write", server),
        new Candidate("bun", "Bun", "--version", ".+", server));
    StringBuilder looked = new StringBuilder();
    for (Candidate each : candidates) {
      String program = findOnPath(environment.getOrDefault("PATH", ""), each.name());
      String printed = program == null ? "" : ask(join(program, each.question().split(" ")));
      if (Pattern.compile(each.fits(), Pattern.DOTALL).matcher(printed).matches()) return join(program, each.arguments());
      String found = program == null ? "not on the PATH"
          : program + (printed.isEmpty() ? " does not tell its version" : " is " + printed.lines().findFirst().get());
      looked.append("  ").append(each.what()).append(": ").append(found).append('\n');
    }
    throw new StartException("Nothing here can run Postern " + Version.VERSION + ". Looked for:\n" + looked + REMEDIES);
  }

  /** Splits the words of a command. Quotes keep a word with spaces together; nothing else has a meaning. */
  static List<String> split(String command) {
    return WORD.matcher(command).results()
        .map(word -> word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"))
        .toList();
  }

  private static String findOnPath(String path, String name) {
    boolean isWindows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    String[] endings = isWindows ? new String[] {".exe", ".cmd", ".bat"} : new String[] {""};
    for (String folder : path.split(File.pathSeparator)) {
      for (String ending : endings) {
        File program = new File(folder, name + ending);
        if (!folder.isEmpty() && program.isFile() && program.canExecute()) return program.getPath();
      }
    }
    return null;
  }

  private static List<String> join(String program, String... arguments) {
    return Stream.concat(Stream.of(program), Arrays.stream(arguments)).toList();
  }

  /** Returns what the program prints, or nothing if it fails or takes too long. */
  private static String ask(List<String> command) throws InterruptedException {
    try {
      Process asked = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.DISCARD).start();
      asked.getOutputStream().close();
      try {
        // What a version call prints fits into the pipe.
        if (!asked.waitFor(SECONDS_TO_ANSWER, TimeUnit.SECONDS) || asked.exitValue() != 0) return "";
        return new String(asked.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      } finally {
        asked.destroyForcibly();
      }
    } catch (IOException error) {
      return "";
    }
  }
}
