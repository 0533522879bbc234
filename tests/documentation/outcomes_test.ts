/** The names of outcomes in the documentation are those of the filter. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";
import { isFilterLine, parseFilter } from "../../src/kit/mock/journal/filter.ts";
import { outcomeMarks, requestOutcomes } from "../../src/kit/timeline/request_outcome.ts";
import { test } from "../runner.ts";

const inspector = readFileSync("docs/inspector.md", "utf8");

/** The text between backticks. */
function codesIn(text: string): readonly string[] {
  return [...text.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
}

test("outcomes: each filter line of docs/inspector.md has only names and values that the filter accepts", () => {
  const lines = codesIn(inspector).filter(isFilterLine);
  assertEquals(lines.filter((line) => parseFilter(line).problems.length > 0), []);
  assertEquals(lines.includes("outcome:failed"), true);
});

test("outcomes: docs/inspector.md has the mark and the name of each outcome, and no other", () => {
  const marked = [...inspector.matchAll(/([●▲■]) (\S+?)(?=[,)])/g)].map(([, mark, name]) => [name, mark]);
  assertEquals(marked, Object.entries(outcomeMarks).map(([name, mark]) => [`\`${name}\``, mark]));
});

test("outcomes: docs/operations.md lists each outcome of a request in the log", () => {
  const [, cell = ""] = /^\| `outcome` +\|(.+)\|$/m.exec(readFileSync("docs/operations.md", "utf8"))!;
  assertEquals(codesIn(cell), requestOutcomes);
});
