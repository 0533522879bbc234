/** The first mistake in a JSON text (RFC 8259). */

import { assertEquals } from "@std/assert";
import { findJsonError } from "../../src/cli/parse_jsonc.ts";
import { test } from "../runner.ts";

test("json error: it has the line, the column and what was expected", () => {
  const texts: readonly (readonly [text: string, line: number, column: number, expected: string])[] = [
    ['{\n  "login": "auto",\n}', 3, 1, 'no "," before "}"'],
    ['{ "clients": [1, ] }', 1, 18, 'no "," before "]"'],
    ["{ login: 1 }", 1, 3, "a name in double quotes"],
    ["{ 'login': 1 }", 1, 3, "a name in double quotes"],
    ['{ "login" "auto" }', 1, 11, '":" after the name'],
    ['{ "a": 1\n  "b": 2 }', 2, 3, '"," or "}"'],
    ["[1 2]", 1, 4, '"," or "]"'],
    ['{ "a": tru }', 1, 8, "a value"],
    ['{ "a": }', 1, 8, "a value"],
    ['{ "a": "b\n" }', 1, 8, "a string that ends on its line, with known escapes only"],
    ['{ "a": "\\x" }', 1, 8, "a string that ends on its line, with known escapes only"],
    ["// clients\n{}", 1, 1, "no comment: JSON has none"],
    ["{} {}", 1, 4, "nothing after the value"],
    ["", 1, 1, "a value"],
    ["[", 1, 2, "a value"],
    ['{ "a": 01 }', 1, 9, '"," or "}"'],
  ];
  for (const [text, line, column, expected] of texts) {
    assertEquals(findJsonError(text), { line, column, expected }, text);
  }
});

test("json error: there is one if and only if the runtime's parser throws", () => {
  const sample = ' {"a": [1, -2.5e+3, true, null, "x\\u00e9\\n", {}], "b": {"c": ""}}\n';
  const isJson = (text: string) => {
    try {
      JSON.parse(text);
      return true;
    } catch {
      return false;
    }
  };
  for (let at = 0; at < sample.length; at++) {
    for (const inserted of ["", ",", "}", "]", '"', "0", "x", "\n", "\\", "/"]) {
      for (const cut of [0, 1, 2]) {
        const text = sample.slice(0, at) + inserted + sample.slice(at + cut);
        assertEquals(findJsonError(text) === undefined, isJson(text), text);
      }
    }
  }
});
