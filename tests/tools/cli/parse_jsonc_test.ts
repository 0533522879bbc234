/** JSON with comments and trailing commas, and the first mistake in a text. */

import { assertEquals, assertThrows } from "@std/assert";
import { JsonError, parseJsonc } from "../../../src/tools/cli/configuration/parse_jsonc.ts";
import { test } from "../../runner.ts";

const accepted: readonly (readonly [text: string, value: unknown])[] = [
  ["// clients\n{}", {}],
  ["/* one\n * two */ [1 /* three */, 2] // four", [1, 2]],
  ["[1, 2, // two\n]", [1, 2]],
  ['{ "a": 1, /* end */ }', { a: 1 }],
  ['{"a":{"b":[[1,],],},}', { a: { b: [[1]] } }],
  ['{ "issuer": "http://localhost:9000", "text": "/* no comment */ // none, }" }', {
    issuer: "http://localhost:9000",
    text: "/* no comment */ // none, }",
  }],
  ["/*/ one comment */1", 1],
  ["1 // carriage return\r", 1],
  ['{ "a": { "b": 1 }, "b": { "a": 1 } }', { a: { b: 1 }, b: { a: 1 } }],
];

for (const [text, value] of accepted) {
  test(`jsonc: ${JSON.stringify(text)} is accepted`, () => assertEquals(parseJsonc(text), value));
}

test("jsonc: __proto__ is a member as in JSON", () => {
  const value = parseJsonc('{ "__proto__": { "a": 1 } }') as Record<string, unknown>;
  assertEquals([Object.keys(value), value["a"]], [["__proto__"], undefined]);
});

const refused: readonly (readonly [text: string, line: number, column: number, expected: string])[] = [
  ["{ login: 1 }", 1, 3, "a name in double quotes"],
  ['{ "login" "auto" }', 1, 11, '":" after the name'],
  ['{ "a": 1\n  "b": 2 }', 2, 3, '"," or "}"'],
  ["[1 2]", 1, 4, '"," or "]"'],
  ['{ "a": tru }', 1, 8, "a value"],
  ['{ "a": "b\n" }', 1, 8, "a string that ends on its line, with known escapes only"],
  ['{ "a": "\\x" }', 1, 8, "a string that ends on its line, with known escapes only"],
  ["", 1, 1, "a value"],
  ['{ "a": 01 }', 1, 9, '"," or "}"'],
  // RFC 8259 §4.
  ['{ "a": 1,\n  "b": 2, "a": 2 }', 2, 11, 'another name: "a" is in this object already'],
  [
    '{ "": 1, "\\u005f_proto__": 1, "__proto__": 2 }',
    1,
    31,
    'another name: "__proto__" is in this object already',
  ],
  // A comma needs a value before it.
  ["[,]", 1, 2, "a value"],
  ["{,}", 1, 2, "a name in double quotes"],
  ["[1,,]", 1, 4, "a value"],
  // Comments keep the lines and columns of what follows.
  ['// one\n/* two\n three */ { "a": tru }', 3, 18, "a value"],
  ['{ "a": /* é */ tru }', 1, 16, "a value"],
  ['{\r\n  // one\r\n  "a": tru }', 3, 8, "a value"],
  ['{ "a": 1 /* open\n }', 1, 10, '"*/" at the end of this comment'],
  ["/*", 1, 1, '"*/" at the end of this comment'],
  ["/ one\n{}", 1, 1, "a value"],
];

for (const [text, line, column, expected] of refused) {
  test(`jsonc: ${JSON.stringify(text)} is refused at ${line}:${column}`, () => {
    const error = assertThrows(() => parseJsonc(text), JsonError) as JsonError;
    assertEquals([error.position, error.message], [{ line, column }, `expected ${expected}`]);
  });
}

// The regular expressions of some runtimes refuse long repetitions, and each level of a value uses the stack.
const large: readonly (readonly [title: string, text: string, value: string | number])[] = [
  ["a string of 2 MB", `"${"a".repeat(2e6)}"`, "a".repeat(2e6)],
  ["a million escapes", `"${"\\n".repeat(1e6)}"`, "\n".repeat(1e6)],
  ["2 MB of spaces", `${" ".repeat(2e6)}1`, 1],
  ["300,000 comments", `${"// x\n".repeat(3e5)}1`, 1],
];

for (const [title, text, value] of large) {
  test(`jsonc: ${title} is accepted`, () => assertEquals(parseJsonc(text) === value, true));
}

test("jsonc: 200 levels are accepted, and more are refused at the first one", () => {
  const nested = (levels: number) => "[".repeat(levels) + "]".repeat(levels);
  assertEquals(JSON.stringify(parseJsonc(nested(200))), nested(200));
  const beside = `[${Array(201).fill("{}").join()}]`;
  assertEquals(JSON.stringify(parseJsonc(beside)), beside);
  for (const text of [nested(201), "[".repeat(1e5), '{"a":'.repeat(1e5)]) {
    const error = assertThrows(() => parseJsonc(text), JsonError) as JsonError;
    assertEquals(error.message, "expected at most 200 objects and lists inside of each other");
  }
});
