/** The frames of stack traces in the output of programs. */
import { assertEquals } from "@std/assert";
import { findFrames } from "../../../src/kit/examine/card/source_lines.ts";
import { test } from "../../runner.ts";

test("frames: each form of a path is found, and no URL", () => {
  const forms: Readonly<Record<string, string | undefined>> = {
    "    at logIn (src/a.test.ts:8:3)": "src/a.test.ts",
    "    at file:///srv/a.mjs:8:3": "/srv/a.mjs",
    "logIn@file:///srv/a.js:8:3": "/srv/a.js",
    "    at C:\\app\\a.js:8:3": "app/a.js",
    "    at node_modules/.pnpm/jose@6.2.17/node_modules/@scope/a.js:8:3":
      "node_modules/.pnpm/jose@6.2.17/node_modules/@scope/a.js",
    '  File "/srv/a.py", line 8': "/srv/a.py",
    "at https://app.test/a.js:8:3": undefined,
    "a.txt:8": undefined,
  };
  for (const [line, file] of Object.entries(forms)) {
    assertEquals(findFrames(line), file === undefined ? [] : [{ file, line: 8 }], line);
  }
});
