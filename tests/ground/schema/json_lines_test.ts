/** JSON is split into lines, and nothing of it is changed. */

import { assertEquals } from "@std/assert";
import { splitJson } from "../../../src/ground/schema/json_lines.ts";
import { test } from "../../runner.ts";

function write(json: string): readonly string[] {
  return [...splitJson(json)].map(({ depth, label, value, end }) =>
    `${"  ".repeat(depth)}${label}${value}${end}`
  );
}

test("json lines: each member has a line, a list of scalars too", () => {
  assertEquals(write('{"aud":["a",  "b"], "cnf":{"jkt":"q"},"list":[{"t":1},2,[]],"none":{} }'), [
    "{",
    '  "aud": ["a", "b"],',
    '  "cnf": {',
    '    "jkt": "q"',
    "  },",
    '  "list": [',
    "    {",
    '      "t": 1',
    "    },",
    "    2,",
    "    []",
    "  ],",
    '  "none": {}',
    "}",
  ]);
});

test("json lines: a name that occurs twice, large numbers, order and escapes stay", () => {
  assertEquals(write('{"b":1,"2":0,"1":12345678901234567890,"b":1e400,"e":"\\u0041\\"}"}'), [
    "{",
    '  "b": 1,',
    '  "2": 0,',
    '  "1": 12345678901234567890,',
    '  "b": 1e400,',
    '  "e": "\\u0041\\"}"',
    "}",
  ]);
});

test("json lines: the path names the members around a line", () => {
  const lines = [...splitJson('{"address":{"locality":"Z"},"act":[{"sub":"x"}]}')];
  assertEquals(lines.map(({ path, kind }) => [path, kind]), [
    ["", "opens"],
    ["address", "opens"],
    ["address.locality", "whole"],
    ["address", "closes"],
    ["act", "opens"],
    ["act", "opens"],
    ["act.sub", "whole"],
    ["act", "closes"],
    ["act", "closes"],
    ["", "closes"],
  ]);
});

test("json lines: a deep value needs no deep stack", () => {
  const depth = 20_000;
  const lines = [...splitJson(`${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`)];
  assertEquals(lines.length, 2 * depth + 1);
});
