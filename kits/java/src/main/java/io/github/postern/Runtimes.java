package io.github.postern;

import io.github.postern.api.Version;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
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

  private static final Pattern OWN_VERSION =
      Pattern.compile("\\{\"product\":\"postern-oauth-server\",\"version\":\"([^\"]+)\"\\}");

  private static final Pattern NODE_VERSION = Pattern.compile("v(\\d+)\\.(\\d+)\\..*");

  private static final List<String> DENO_FLAGS = List.of(
      "run", "--quiet", "--no-config", "--no-lock", "--no-prompt",
      "--allow-net", "--allow-sys", "--allow-env", "--allow-read", "--allow-write");

  private static final String REMEDIES = """
      Three ways to get one:
        https://nodejs.org, 20.12 or later   the package of your system, or actions/setup-node in CI
        https://deno.com or https://bun.sh   on the PATH
        POSTERN_COMMAND="…"                  the command of a Postern that you have""";

  private final Map<String, String> environment;
  private final StringBuilder looked = new StringBuilder();

  private Runtimes(Map<String, String> environment) {
    this.environment = environment;
  }

  /** Returns the command that runs the server. Throws if there is none, and says what was looked for. */
  static List<String> find(Map<String, String> environment, Path file) {
    String given = environment.getOrDefault("POSTERN_COMMAND", "");
    return given.isBlank() ? new Runtimes(environment).findFirst(file) : split(given);
  }

  private List<String> findFirst(Path file) {
    String own = "a postern " + Version.VERSION;
    String postern = findOnPath("postern", own);
    if (postern != null && isOwnVersion(postern, own)) return List.of(postern);
    String needed = "Node 20.12 or later";
    String node = findOnPath("node", needed);
    if (node != null && isNewEnough(node, needed)) return List.of(node, file.toString());
    String deno = findOnPath("deno", "Deno");
    if (deno != null && answers(deno, "Deno")) return join(deno, DENO_FLAGS, file);
    String bun = findOnPath("bun", "Bun");
    if (bun != null && answers(bun, "Bun")) return List.of(bun, file.toString());
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

  private String findOnPath(String name, String what) {
    boolean isWindows = System.getProperty("os.name").toLowerCase(Locale.ROOT).startsWith("windows");
    String[] endings = isWindows ? new String[] {".exe", ".cmd", ".bat"} : new String[] {""};
    for (String folder : environment.getOrDefault("PATH", "").split(File.pathSeparator)) {
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
    note(what, "not on the PATH");
    return null;
  }

  private boolean isOwnVersion(String program, String what) {
    Matcher printed = OWN_VERSION.matcher(ask(program, "version", "--json"));
    if (!printed.matches()) {
      note(what, program + " is another program");
      return false;
    }
    boolean isOwn = printed.group(1).equals(Version.VERSION);
    if (!isOwn) note(what, program + " is version " + printed.group(1));
    return isOwn;
  }

  private boolean isNewEnough(String program, String what) {
    String version = ask(program, "--version");
    Matcher printed = NODE_VERSION.matcher(version);
    if (!printed.matches()) {
      note(what, program + " does not tell its version");
      return false;
    }
    int major = Integer.parseInt(printed.group(1));
    boolean isNew = major > 20 || major == 20 && Integer.parseInt(printed.group(2)) >= 12;
    if (!isNew) note(what, program + " is " + version + ", and 20.12 or later is needed");
    return isNew;
  }

  private boolean answers(String program, String what) {
    boolean answers = !ask(program, "--version").isEmpty();
    if (!answers) note(what, program + " does not tell its version");
    return answers;
  }

  private void note(String what, String found) {
    looked.append("  ").append(what).append(": ").append(found).append('\n');
  }

  private static List<String> join(String program, List<String> flags, Path file) {
    List<String> command = new ArrayList<>();
    command.add(program);
    command.addAll(flags);
    command.add(file.toString());
    return command;
  }

  /** Returns what the program prints, or nothing if it fails or takes too long. */
  private static String ask(String program, String... arguments) {
    List<String> command = new ArrayList<>(List.of(program));
    command.addAll(Arrays.asList(arguments));
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
      Thread.currentThread().interrupt();
      return "";
    }
  }
}
