/** Lists of texts that tests compare with. A line of a list is a text, and ⏎ stands for the end of a line in it. */

import { readFileSync } from "node:fs";

export function readKept(file: string): readonly (readonly string[])[] {
  return readFileSync(file, "utf8").trimEnd().split("\n").map((line) => line.split("⏎"));
}
