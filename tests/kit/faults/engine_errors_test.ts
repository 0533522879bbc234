/**
 * What engines and runtimes say, such as V8, Bun 1.4, Firefox 153, CPython 3.11 and Java 17. `engine_errors.txt` has their messages
 * by engine and class, with … where more words may stand.
 */

import { assert, assertEquals } from "@std/assert";
import { engineForms, isEngineError } from "../../../src/kit/faults/engine_errors.ts";
import { readThrown } from "../../../src/kit/faults/judge.ts";
import { readKept } from "../../kept_lines.ts";
import { test } from "../../runner.ts";

const messages = readKept("tests/kit/faults/engine_errors.txt").flatMap(
  ([title = "", ...texts]) => {
    const [, of = "", name = ""] = /^(.+) ([\w.]+)$/.exec(title)!;
    return texts.map((message) => {
      const [, before, text = "", after] = /^(…?)(.*?)(…?)$/.exec(message)!;
      return { message, of: of.split(" "), name, before, text: text.replaceAll("\\n", "\n"), after };
    });
  },
);

test("crashes: a message of an engine is its own whole text, by the name of its class", () => {
  for (const { message, name, before, text, after } of messages) {
    const create = (message: string, by = name) => Object.assign(new Error(message), { name: by });
    const others = [create(`It says: ${text}`), create(`${text} of it`), create(text, "StateError")];
    const found = [readThrown(create(text), {}).kind, ...others.map(isEngineError)];
    assertEquals([message, ...found], [message, "crash", before !== "", after !== "", false]);
  }
});

test("crashes: each form takes a message of each of its engines, and one that no other form takes", () => {
  for (const [name, forms] of Object.entries(engineForms)) {
    for (const [of, form] of forms) {
      const taken = messages.filter((each) => each.name === name && form.test(each.text));
      const own = taken.filter(({ text }) => forms.filter(([, other]) => other.test(text)).length === 1);
      const unsaid = of.filter((by) => !taken.some((each) => each.of.includes(by)));
      assert(own.length > 0 && unsaid.length === 0, `${form} ${unsaid}`);
    }
  }
});

test("crashes: a ValueError of a Python client is its refusal, unless the interpreter says so", () => {
  const read = (message: string) =>
    readThrown(Object.assign(new Error(message), { name: "ValueError", stack: "" }), {}).kind;
  assertEquals(read("not enough values to unpack (expected 2, got 1)"), "crash");
  assertEquals([read("the nonce differs"), read("Signature has expired")], ["refusal", "refusal"]);
});

test("crashes: exceptions of Java may have no message, and their own words say nothing", () => {
  const read = (name: string, message: string) =>
    readThrown(Object.assign(new Error(message), { name, stack: "" }), {}).kind;
  for (const name of ["java.lang.NullPointerException", "java.util.NoSuchElementException"]) {
    assertEquals([read(name, ""), read(name, "the issuer is missing")], ["crash", "nothing"]);
  }
  assertEquals(read("java.lang.SecurityException", ""), "refusal");
});
