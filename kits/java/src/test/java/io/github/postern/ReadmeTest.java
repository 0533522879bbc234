package io.github.postern;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;
import static org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder.request;

import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;

/** The programs of README.md and of the pages in docs/ run, as they are written there. */
class ReadmeTest {
  private static final String SHOP = """
      class Shop {
        static void signIn(io.github.postern.Postern postern) throws Exception {
          io.github.postern.Shop.signIn(postern);
        }
      }
      """;

  @TempDir Path folder;

  static Map<String, String> programs() throws Exception {
    Map<String, String> programs = new TreeMap<>();
    StringBuilder pages = new StringBuilder();
    for (String page : List.of("README.md", "../../docs/java.md", "../../docs/moving/java.md")) {
      pages.append(Files.readString(Path.of(page)));
    }
    var program = Pattern.compile("(?ms)^```java (\\w+)\\.java(?: by-hand)?\n(.*?)^```$").matcher(pages);
    while (program.find()) programs.put(program.group(1), program.group(2));
    return programs;
  }

  static Stream<String> names() throws Exception {
    return programs().keySet().stream();
  }

  @Test
  void eachProgramIsFound() throws Exception {
    assertEquals(
        List.of("AudienceTest", "ClientTest", "LoginTest", "MovedTest", "OrdersTest", "WrongTest"),
        List.copyOf(programs().keySet()));
  }

  @ParameterizedTest
  @MethodSource("names")
  void aProgramRuns(String name) throws Exception {
    String program = programs().get(name);
    Path file = Files.writeString(folder.resolve(name + ".java"), program);
    Path shop = Files.writeString(folder.resolve("Shop.java"), SHOP);
    JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
    StringWriter said = new StringWriter();
    List<String> options = List.of("-d", folder.toString(), "-cp", System.getProperty("java.class.path"));
    var files = compiler.getStandardFileManager(null, null, null).getJavaFileObjects(file, shop);
    assertTrue(compiler.getTask(said, null, null, options, null, files).call(), said.toString());
    var listener = new SummaryGeneratingListener();
    try (URLClassLoader loader = new URLClassLoader(new URL[] {folder.toUri().toURL()})) {
      var chosen = request().selectors(selectClass(loader.loadClass(name))).build();
      LauncherFactory.create().execute(chosen, listener);
    }
    var summary = listener.getSummary();
    assertEquals(List.of(), summary.getFailures().stream().map(each -> each.getException().toString()).toList());
    assertEquals(program.split("@Test\n").length - 1, summary.getTestsSucceededCount());
  }
}
