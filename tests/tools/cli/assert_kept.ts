/** Compares texts with a list in `lists/`. A line of it is what is given, and the lines of the text. */

import { assertEquals } from "@std/assert";
import { readKept } from "../../kept_lines.ts";

export async function assertKept(
  list: string,
  describe: (given: string) => string | Promise<string>,
): Promise<void> {
  for (const [given = "", ...expected] of readList(list)) {
    assertEquals((await describe(given)).split("\n"), expected, given);
  }
}

export function readList(list: string): readonly (readonly string[])[] {
  return readKept(`tests/tools/cli/lists/${list}.txt`);
}
