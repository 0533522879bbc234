/** Compares texts with a list in `lists/`. A line of it is what is given, and the lines of the text. */

import { assertEquals } from "@std/assert";
import { readFileSync } from "node:fs";

export async function assertKept(
  list: string,
  describe: (given: string) => string | Promise<string>,
): Promise<void> {
  const lines = readFileSync(`tests/tools/cli/lists/${list}.txt`, "utf8").trimEnd().split("\n");
  for (const [given = "", ...expected] of lines.map((line) => line.split("⏎"))) {
    assertEquals((await describe(given)).split("\n"), expected, given);
  }
}
