/** `deno task test` reads what Deno, Node and Bun print. */
import { assert, assertEquals } from "@std/assert";
import {
  countCases,
  describeCounts,
  endedTest,
  isNoise,
  readCounts,
  reasonToSkip,
  sum,
} from "../../scripts/test/counts.ts";
import { runtime, runtimeVersion, test } from "../runner.ts";

test("runner: it knows the runtime and its version", () => {
  assert(["deno", "bun", "node", "chromium"].includes(runtime));
  assert(/^\d+\.\d+/.test(runtimeVersion), runtimeVersion);
});

const endings: Readonly<Record<string, readonly [text: string, counts: readonly number[]]>> = {
  "Deno": ["ok | 115 passed | 0 failed | 1 ignored (16s)", [115, 0, 1]],
  "Deno, after a failure": ["FAILED | 1 passed (2 steps) | 2 failed (1 step) (220ms)", [1, 2, 0]],
  "Node": ["ℹ tests 5\nℹ suites 0\nℹ pass 3\nℹ fail 1\nℹ cancelled 0\nℹ skipped 1\nℹ todo 0", [3, 1, 1]],
  "Bun": [" 12 pass\n 3 skip\n 4 fail\n 27 expect() calls\nRan 19 tests across 2 files.", [12, 4, 3]],
  "Bun, with nothing skipped": [" 12 pass\n 0 fail", [12, 0, 0]],
};

for (const [name, [text, [passed, failed, skipped]]] of Object.entries(endings)) {
  test(`runner: counts the tests at the end of ${name}`, () => {
    const lines = ["a test that prints 7 passed ... ok (1ms)", ...text.split("\n"), ""];
    assertEquals(readCounts(lines), { passed, failed, skipped });
  });
}

test("runner: a runtime that ended too early has no counts", () => {
  assertEquals(readCounts(["error: Module not found", "(pass) a test"]), undefined);
});

test("runner: the last line counts skipped tests only if there are some", () => {
  const all = [{ passed: 2, failed: 0, skipped: 0 }, { passed: 1, failed: 1, skipped: 0 }];
  assertEquals(describeCounts(sum(all)), "3 passed, 1 failed");
  assertEquals(describeCounts({ passed: 1, failed: 0, skipped: 2 }), "1 passed, 0 failed, 2 skipped");
  assertEquals(countCases(sum(all)), 4);
});

const lines: readonly (readonly [line: string, name: string, outcome: string])[] = [
  ["a test ... ok (16ms)", "a test", "passed"],
  ["a test ... FAILED (1m3s)", "a test", "failed"],
  ["a test (skipped: why) ... ignored (0ms)", "a test (skipped: why)", "skipped"],
  ["✔ a test (15.15ms)", "a test", "passed"],
  ["✖ a test (15.15ms)", "a test", "failed"],
  ["﹣ a test (skipped: why) (0.2ms) # SKIP", "a test (skipped: why)", "skipped"],
  ["(pass) a test [1.20ms]", "a test", "passed"],
  ["(pass) a test", "a test", "passed"],
  ["(fail) a test [2.01s]", "a test", "failed"],
  ["(skip) a test (skipped: why)", "a test (skipped: why)", "skipped"],
];

for (const [index, [line, name, outcome]] of lines.entries()) {
  test(`runner: reads how a test has ended, line ${index + 1}`, () => {
    // the line is no part of the name, because it would be read as the end of this test
    assertEquals(endedTest(line), { name, outcome } as ReturnType<typeof endedTest>);
    assertEquals(isNoise(line), outcome !== "failed");
    assertEquals(reasonToSkip(line), outcome === "skipped" ? "why" : undefined);
  });
}

test("runner: what else a runtime prints is no end of a test", () => {
  const lines = [
    "a ... b",
    "    at run (file.ts:1:2)",
    "error: Test failed",
    "running 3 tests from ./a_test.ts",
  ];
  for (const line of lines) {
    assertEquals(endedTest(line), undefined);
  }
});
