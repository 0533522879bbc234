/** `deno task test` counts the tests in the JUnit reports of Deno, Node and Bun, which differ. */
import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { spawnSync } from "node:child_process";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { createProgress } from "../scripts/test_progress.ts";
import { describeCases, describeCounts, readReport, sum } from "../scripts/test_report.ts";
import { program, programMark } from "./node_runner_trial.ts";
import { runtime, runtimeVersion, test } from "./runner.ts";

test("runner: it knows the runtime and its version", () => {
  assert(["deno", "bun", "node"].includes(runtime));
  assert(/^\d+\.\d+/.test(runtimeVersion), runtimeVersion);
});

test("runner: counts a report of Deno", () => {
  const { reasons: _, ...counts } = readReport(
    `<testsuites name="deno test" tests="4" failures="1" errors="1">
    <testsuite name="./tests/runner.ts" tests="4" disabled="1" errors="1" failures="1">
      <testcase name="a" classname="./tests/runner.ts" time="0.001" line="44" col="31">
      </testcase>
      <testcase name="b &quot;&lt;x&gt;&quot;" classname="./tests/runner.ts" time="0.002" line="44" col="31">
        <failure message="Uncaught AssertionError">at file:///tests/b_test.ts:1:1</failure>
      </testcase>
      <testcase name="c" classname="./tests/runner.ts" time="0.000" line="44" col="31">
        <error message="Cancelled"/>
      </testcase>
      <testcase name="d (skipped: no reason)" classname="./tests/runner.ts" time="0.000" line="45" col="33">
        <skipped/>
      </testcase>
    </testsuite>
  </testsuites>`,
  );
  assertEquals(counts, { passed: 1, failed: 2, skipped: 1 });
});

test("runner: counts a report of Node", () => {
  const { reasons, ...counts } = readReport(`<testsuites>
<testcase name="a" time="0.001"></testcase>
<testcase name="b &lt;x&gt;" time="0.001"><failure/></testcase>
<testcase name="c (skipped: no SQLite)" time="0"><skipped/></testcase>
<testcase name="d (skipped: no SQLite)" time="0"><skipped/></testcase>
</testsuites>`);
  assertEquals(counts, { passed: 1, failed: 1, skipped: 2 });
  assertEquals([...reasons], [["no SQLite", 2]]);
});

test("runner: counts a report of Bun", () => {
  const { reasons: _, ...counts } = readReport(
    `<testsuites name="bun test" tests="3" failures="1" skipped="1">
  <testsuite name="dist/tests/a_test.js" file="dist/tests/a_test.js" tests="3" failures="1" skipped="1">
    <testcase name="a" classname="" time="0.0003" file="dist/tests/a_test.js" line="185" assertions="0" />
    <testcase name="b" classname="" time="0.0001" file="dist/tests/a_test.js" line="189" assertions="0">
      <failure type="AssertionError" message="1 &gt; 2">AssertionError</failure>
    </testcase>
    <testcase name="c (skipped: because)" classname="" time="0" file="dist/tests/a_test.js" line="193">
      <skipped />
    </testcase>
  </testsuite>
</testsuites>`,
  );
  assertEquals(counts, { passed: 1, failed: 1, skipped: 1 });
});

test("runner: the last line counts skipped tests only if there are some", () => {
  const all = [{ passed: 2, failed: 0, skipped: 0 }, { passed: 1, failed: 1, skipped: 0 }];
  assertEquals(describeCounts(sum(all)), "3 passed, 1 failed");
  assertEquals(describeCounts({ passed: 1, failed: 0, skipped: 2 }), "1 passed, 0 failed, 2 skipped");
});

test("runner: the cases are counted for each group of runtimes", () => {
  const good = { passed: 3890, failed: 0, skipped: 4 };
  const once = { passed: 310, failed: 0, skipped: 0 };
  const everywhere = { labels: ["deno", "bun"], counts: [good, good] };
  const alone = { labels: ["once"], counts: [once] };
  assertEquals(describeCases([everywhere, alone]), "3,894 cases (deno, bun), 310 (once): all passed");
  const bad = { labels: ["node 20"], counts: [{ passed: 9, failed: 1, skipped: 0 }] };
  assertEquals(describeCases([bad]), "10 cases (node 20): 1 failed");
});

test("runner: the progress is a line for a log, and one line that is rewritten for a terminal", () => {
  for (const isTerminal of [false, true]) {
    let text = "";
    const progress = createProgress({
      write: (part) => void (text += part),
      isTerminal,
      groups: [["deno", "node 20"], ["once"]],
    });
    progress.expect("node 20", 200);
    for (let time = 0; time < 50; time++) progress.count("deno");
    progress.count("once");
    progress.end("node 20");
    progress.show();
    progress.print("a failure");
    progress.close();
    const line = "0 s: deno 25%, node 20 has ended, once 1 test";
    assertEquals(text, isTerminal ? `${line}\r\x1b[Ka failure\n` : `${line}\na failure\n`);
  }
});

const limitName = "runner: reports a runtime that exceeds its time limit";
if (runtime === "deno") {
  test(limitName, () => {
    const args = [
      "run",
      "--config",
      "dev.json",
      "--allow-all",
      "scripts/test.ts",
      "--on",
      "deno",
      "--limit",
      "0",
    ];
    const ended = spawnSync(process.execPath, [...args, "tests/runner_test"], { encoding: "utf8" });
    assertMatch(ended.stdout, /^deno: timed out: it was stopped after 0 s; /m);
    assertMatch(ended.stdout, /^0 passed, 1 failed$/m);
    assertEquals(ended.status, 1);
  });
} else test.skip(limitName, "scripts/test.ts runs on Deno");

const nodeTest: (name: string, body: () => Promise<void>) => void = runtime === "node"
  ? test
  : (name) => test.skip(name, "node_runner.ts is for Node");

nodeTest(
  "runner: on Node, a test fails by an error that it throws, and by one that is not caught",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    try {
      const path = join(folder, "report.xml");
      const ended = spawnSync(process.execPath, [fileURLToPath(program), programMark, path], {
        encoding: "utf8",
      });
      assertEquals(ended.status, 1, ended.stderr);
      const report = await readFile(path, "utf8");
      const { reasons: _, ...counts } = readReport(report);
      assertEquals(counts, { passed: 2, failed: 3, skipped: 1 });
      assertStringIncludes(report, 'name="passes &amp; &lt;has&gt; &quot;marks&quot;"');
      for (
        const expected of ["✖ throws\nError: thrown", "✖ rejects\n", "✖ leaves a rejection\nError: left"]
      ) {
        assertStringIncludes(ended.stdout, expected);
      }
      assertStringIncludes(ended.stdout, "✖ after the last test\nError: late");
    } finally {
      await rm(folder, { recursive: true });
    }
  },
);
