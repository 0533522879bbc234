/** `deno task test` counts tests by the last lines of Deno, Node and Bun, and knows which files run where. */
import { assert, assertEquals } from "@std/assert";
import { countCases, describeCounts, readCounts, sum } from "../../scripts/test_counts.ts";
import { runtime, runtimeVersion, test } from "../runner.ts";

test("runner: it knows the runtime and its version", () => {
  assert(["deno", "bun", "node"].includes(runtime));
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
