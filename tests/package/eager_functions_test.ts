/** Which functions of a built module are compiled with it: those that were called, and it does what it did. */

import { assertEquals, assertStringIncludes } from "@std/assert";
import { type FunctionCoverage, parenthesizeCalled } from "../../scripts/eager_functions.ts";
import { test } from "../runner.ts";

const module = `import { basename } from "node:path";
const early = ladder(2);
function ladder(steps) {
  return steps === 0 ? [] : [steps, ...ladder(steps - 1)];
}
async function later() {
  function inner() {
    return basename("a/inner");
  }
  return inner();
}
function* each() {
  yield* early;
}
function unused() {
  return "unused";
}
class Box {
  function() {
    return each();
  }
}
export { Box, early, ladder, later, unused };
`;

/** As V8 tells it: the module itself is a function, too. */
function coverage(calls: Readonly<Record<string, number>>): FunctionCoverage[] {
  const ends: Readonly<Record<string, string>> = { inner: "\n  }", function: "\n  }" };
  return [
    { functionName: "", ranges: [{ startOffset: 0, endOffset: module.length, count: 1 }] },
    ...Object.entries(calls).map(([functionName, count]) => {
      const startOffset = module.search(
        functionName === "function" ? /function\(\)/ : RegExp(`(async )?function\\*? ${functionName}\\(`),
      );
      const end = ends[functionName] ?? "\n}";
      const endOffset = module.indexOf(end, startOffset) + end.length;
      return { functionName, ranges: [{ startOffset, endOffset, count }] };
    }),
  ];
}

test("eager functions: a module with some in parentheses does what it did, and the rest is as it was", async () => {
  const calls = { each: 1, later: 1, inner: 1, ladder: 3, unused: 0, function: 1 };
  const eager = parenthesizeCalled(module, coverage(calls));
  const loaded = await import(`data:text/javascript;base64,${btoa(eager)}`);
  assertEquals(loaded.early, [2, 1]);
  assertEquals(await loaded.later(), "inner");
  assertEquals([...new loaded.Box().function()], [2, 1]);
  assertEquals([loaded.ladder.name, loaded.ladder(1), loaded.unused()], ["ladder", [1], "unused"]);
  for (const start of ["(function ladder(", "(async function later(", "(function* each("]) {
    assertStringIncludes(eager, start);
  }
  // neither what was not called nor what is inside another
  assertStringIncludes(eager, "\nfunction unused(");
  assertStringIncludes(eager, "\n  function inner(");
  assertStringIncludes(eager, "\n  function() {\n    return each()");
});

test("eager functions: a module without a call stays as it is", () => {
  assertEquals(parenthesizeCalled(module, coverage({ unused: 0, inner: 1 })), module);
});
