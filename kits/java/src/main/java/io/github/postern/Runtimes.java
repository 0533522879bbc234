package io.github.postern;

import io.github.postern.api.Version;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

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

  /**
   * A program that may run the server.
   *
   * @param question Its arguments that print its version.
   * @param fits What it prints, if it can run the server.
   * @param arguments Its arguments before those of the server.
   */
  private record Candidate(
      String name, String what, List<String> question, Pattern fits, List<String> arguments) {
    Candidate(String name, String what, String fits, String... arguments) {
      this(name, what, List.of("--version"), Pattern.compile(fits, Pattern.DOTALL), List.of(arguments));
    }
  }

  /** Returns the command that runs the server. Throws if there is none, and says what was looked for. */
  static List<String> find(Map<String, String> environment, Path file) {
    String given = environment.getOrDefault("POSTERN_COMMAND", "");
    if (!given.isBlank()) return split(given);
    String server = file.toString();
    String own = "{\"product\":\"postern-oauth-server\",\"version\":\"" + Version.VERSION + "\"}";
    List<Candidate> candidates = List.of(
        new Candidate(
            "postern", "a postern " + Version.VERSION, List.of("version", "--json"),
            Pattern.compile(own, Pattern.LITERAL), List.of()),
        new Candidate(
            "node", "Node 20.12 or later", "v(20\\.(1[2-9]|[2-9]\\d)|2[1-9]|[3-9]\\d)\\..*", server),
        new Candidate(
            "deno", "Deno", ".+", "run", "--quiet", "--no-config", "--no-lock", "--no-prompt",
            "--allow-net", "--allow-sys", "--allow-env", "--allow-read", "--allow-write", server),
        new Candidate("bun", "Bun", ".+", server));
    StringBuilder looked = new StringBuilder();
    for (Candidate each : candidates) {
      String program = findOnPath(environment.getOrDefault("PATH", ""), each.name());
      String printed = program == null ? "" : ask(join(program, each.question()));
      if (each.fits().matcher(printed).matches()) return join(program, each.arguments());
      String found = program == null ? "not on the PATH"
          : program + (printed.isEmpty() ? " does not tell its version" : " is " + printed.lines().findFirst().get());
      looked.append("  ").append(each.what()).append(": ").append(found).append('\n');
    }
    throw new StartException(
        "Nothing here can run Postern " + Version.VERSION + ". Looked for:\n" + looked + REMEDIES);
  }

  /** Splits the words of a command. Quotes keep a word with spaces together; nothing else has a meaning. */
  static List<String> split(String command) {
    List<String> words = new ArrayList<>();
    Matcher word = WORD.matcher(command);
    while (word.find()) words.add(word.group().replaceAll("'([^']*)'|\"([^\"]*)\"", "$1$2"));
    return words;
  }

  private static String findOnPath(String path, String name) {
    boolean isWindows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    String[] endings = isWindows ? new String[] {".exe", ".cmd", ".bat"} : new String[] {""};
    for (String folder : path.split(File.pathSeparator)) {
      if (folder.isEmpty()) continue;
      for (String ending : endings) {
        try {
          Path program = Path.of(folder, name + ending);
          if (Files.isRegularFile(program) && Files.isExecutable(program)) return program.toString();
        } catch (InvalidPathException noFolder) {
          continue;
        }
      }
    }
    return null;
  }

  private static List<String> join(String program, List<String> arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(arguments);
    return command;
  }

  /** Returns what the program prints, or nothing if it fails or takes too long. */
  private static String ask(List<String> command) {
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
    } catch (InterruptedException error) {
      throw StartException.interrupted(error);
    }
  }
}
