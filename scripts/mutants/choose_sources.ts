/** Chooses the source files that get mutants, and the places in them. */
import { present } from "../../src/ground/values/present.ts";
import { git, listFiles } from "../test/changed.ts";
import type { Source } from "./make_mutants.ts";
import type { Range } from "./mutant.ts";

/**
 * Whether the file has behaviour that tests of the gate can prove on Deno: no words for people, no types, nothing for pages
 * or for Bun only.
 */
export function isMutated(file: string): boolean {
  return /^src\/.*\.tsx?$/.test(file) && !/_(?:english|browser|bun)\.tsx?$|\.d\.ts$/.test(file);
}

/** Whether the file is in the bundle of a script, which only a page loads. So only tests in Chromium can notice a mistake. */
export function isPageScript({ file }: Source): boolean {
  return file.includes("/scripts/");
}

/** Returns the files at and below the paths. */
export function chooseByPath(paths: readonly string[]): readonly Source[] {
  return listFiles("src").filter((file) => isMutated(file) && isIn(paths, file))
    .map((file) => ({ file, text: Deno.readTextFileSync(file) }));
}

const isIn = (paths: readonly string[], file: string) =>
  paths.some((path) => file === path || file.startsWith(`${path.replace(/\/$/, "")}/`));

/** Returns the files at and below the paths that have changed since the commit, with the lines that are new or different. */
export function chooseChanged(commit: string, paths: readonly string[]): readonly Source[] {
  const changed = readHunks(
    git("diff", "--unified=0", "--no-color", "--no-ext-diff", "--relative", commit, "--", "src"),
  );
  const added = git("ls-files", "--others", "--exclude-standard", "src").map((file) =>
    [file, undefined] as const
  );
  return [...changed, ...added].filter(([file]) => isMutated(file) && isIn(paths, file))
    .map(([file, places]) => ({
      file,
      text: Deno.readTextFileSync(file),
      ...present({ places }),
    }))
    .filter(({ places }) => places?.length !== 0);
}

/** Reads a diff without context: the lines of each file that it adds. */
export function readHunks(lines: readonly string[]): ReadonlyMap<string, readonly Range[]> {
  const files = new Map<string, Range[]>();
  let places: Range[] = [];
  for (const line of lines) {
    const [, file] = /^\+\+\+ b\/(.+)$/.exec(line) ?? [];
    if (file !== undefined) files.set(file, places = []);
    const [, first, count = "1"] = /^@@ -\S+ \+(\d+)(?:,(\d+))? @@/.exec(line) ?? [];
    if (first === undefined || count === "0") continue;
    const start = Number(first);
    places.push({ start: { line: start, column: 0 }, end: { line: start + Number(count), column: 0 } });
  }
  return files;
}
