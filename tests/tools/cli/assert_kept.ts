/** Compares texts with a list in `lists/`. A line of it is what is given, and the lines of the text. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";

export async function assertKept(
  list: string,
  describe: (given: string) => string | Promise<string>,
): Promise<void> {
  for (const [given = "", ...expected] of readList(list)) {
    assertEquals((await describe(given)).split("\n"), expected, given);
  }
}

export function readList(list: string): readonly (readonly string[])[] {
  const text = readFileSync(`tests/tools/cli/lists/${list}.txt`, "utf8");
  return text.trimEnd().split("\n").map((line) => line.split("⏎"));
}
