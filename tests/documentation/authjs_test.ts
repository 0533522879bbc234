/** The page about Auth.js has the text that `--print` prints. */

import { assertEquals } from "@std/assert";
import { print } from "../tools/cli/printed_program.ts";
import { test } from "../runner.ts";
import { readPage } from "./blocks.ts";

function findProgram(name: string): string {
  return readPage("docs/authjs.md").find((block) => block.name === name)!.text;
}

const readLines = (text: string): readonly string[] => text.trim().split("\n").map((line) => line.trim());

test("authjs: the page has the route for next-auth 4 as it is printed", () => {
  assertEquals(findProgram("route.js"), `${print("next-auth", {})}\n`);
});

test("authjs: the page has the provider for Auth.js 5 as it is printed", () => {
  const [, printed = ""] = /^const postern = \{\n([^]*)^\};$/m.exec(print("authjs", {}))!;
  const [, shown = ""] = /^ {2}providers: \[\{\n([^]*)^ {2}\}\],$/m.exec(findProgram("auth.ts"))!;
  assertEquals(readLines(shown), readLines(printed));
});
