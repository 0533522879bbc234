/** Lists of texts that tests compare with. A line of a list is a text, and ⏎ stands for the end of a line in it. */

import { assertEquals } from "@std/assert";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

export function readKept(file: string): readonly (readonly string[])[] {
  return readFileSync(file, "utf8").trimEnd().split("\n").map((line) => line.split("⏎"));
}

/**
 * Compares lines with those of a list whose first text is the name. With POSTERN_TEST_KEEP in the environment, writes them
 * into the list instead: read what has changed before you commit it.
 */
export function checkKept(file: string, name: string, lines: readonly (readonly string[])[]): void {
  const kept = readKept(file);
  const isOwn = ([first]: readonly string[]) => first === name;
  if (process.env["POSTERN_TEST_KEEP"] === undefined) return assertEquals(lines, kept.filter(isOwn));
  const start = kept.findIndex(isOwn);
  const others = kept.filter((line) => !isOwn(line));
  const all = others.toSpliced(start === -1 ? others.length : start, 0, ...lines);
  writeFileSync(file, all.map((line) => `${line.join("⏎")}\n`).join(""));
}
