/** What engines and runtimes say. `engine_errors.txt` has their messages, with … where more words may stand. */

import { assert, assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { engineForms, isEngineError } from "../../../src/kit/faults/engine_errors.ts";
import { test } from "../../runner.ts";

const messages = readFileSync("tests/kit/faults/engine_errors.txt", "utf8").trimEnd().split("\n").map(
  (line) => {
    const [, name = "", before, text = "", after] = /^(\w+): (…?)(.*?)(…?)$/.exec(line)!;
    return { line, name, before, text: text.replaceAll("\\n", "\n"), after };
  },
);

test("crashes: a message of an engine is its own whole text, by the name of its class", () => {
  for (const { line, name, before, text, after } of messages) {
    const isOwn = (message: string, by = name) =>
      isEngineError(Object.assign(new Error(message), { name: by }));
    const found = [isOwn(text), isOwn(`It says: ${text}`), isOwn(`${text} of it`), isOwn(text, "StateError")];
    assertEquals([line, ...found], [line, true, before !== "", after !== "", false]);
  }
});

test("crashes: each form takes a message that no other form takes", () => {
  for (const [name, forms] of Object.entries(engineForms)) {
    const taken = messages.filter((each) => each.name === name)
      .map(({ text }) => forms.filter(([, form]) => form.test(text)));
    for (const each of forms) assert(taken.some((by) => by.length === 1 && by[0] === each), `${each[1]}`);
  }
});
