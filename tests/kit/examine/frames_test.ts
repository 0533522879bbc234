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

test("frames: the innermost one is the first, each is there once, and there are ten at most", () => {
  const python = [3, 2, 1].map((line) => `  File "/srv/a.py", line ${line}, in log_in`).join("\n");
  const javascript = [1, 2, 1, 3].map((line) => `    at logIn (/srv/a.js:${line}:5)`).join("\n");
  for (const [text, file] of [[python, "/srv/a.py"], [javascript, "/srv/a.js"]] as const) {
    assertEquals(findFrames(text), [1, 2, 3].map((line) => ({ file, line })));
  }
  const many = Array.from({ length: 11 }, (_, at) => `    at logIn (/srv/a.js:${at + 1}:5)`).join("\n");
  assertEquals(findFrames(many).map(({ line }) => line), [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});
