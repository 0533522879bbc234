/** What `deno task test` counts: the reports of Deno, Node and Bun, each in its own dialect of JUnit. */
import { assert, assertEquals } from "@std/assert";
import { describeCounts, readReport, sum } from "../scripts/test_report.ts";
import { runtime, runtimeVersion, test } from "./runner.ts";

test("runner: it knows where it runs", () => {
  assert(["deno", "bun", "node"].includes(runtime));
  assert(/^\d+\.\d+/.test(runtimeVersion), runtimeVersion);
});

test("runner: a report of Deno is counted", () => {
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

test("runner: a report of Node is counted, without the files that it counts as tests", () => {
  const { reasons, ...counts } = readReport(`<testsuites>
	<testcase name="a" time="0.001" classname="test"/>
	<testcase name="/dist/tests/empty_test.js" time="0.08" classname="test"/>
	<testcase name="/dist/tests/broken_test.js" time="0.1" classname="test" failure="test failed">
		<failure type="testCodeFailure" message="test failed">[Error: test failed] { exitCode: 7 }</failure>
	</testcase>
	<testcase name="b &lt;x>" time="0.001" classname="test" failure="1 > 2">
		<failure type="testCodeFailure" message="1 > 2">at &lt;anonymous></failure>
	</testcase>
	<testcase name="c (skipped: no SQLite)" time="0.0001" classname="test">
		<skipped type="skipped" message="true"/>
	</testcase>
	<testcase name="d (skipped: no SQLite)" time="0.0001" classname="test">
		<skipped type="skipped" message="true"/>
	</testcase>
</testsuites>`);
  assertEquals(counts, { passed: 1, failed: 2, skipped: 2 });
  assertEquals([...reasons], [["no SQLite", 2]]);
});

test("runner: a report of Bun is counted", () => {
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

test("runner: the last line names what was skipped only when something was", () => {
  const all = [{ passed: 2, failed: 0, skipped: 0 }, { passed: 1, failed: 1, skipped: 0 }];
  assertEquals(describeCounts(sum(all)), "3 passed, 1 failed");
  assertEquals(describeCounts({ passed: 1, failed: 0, skipped: 2 }), "1 passed, 0 failed, 2 skipped");
});
