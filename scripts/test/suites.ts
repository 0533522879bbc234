/**
 * The suites: `deno task test` runs the tests of all folders but these, which have tasks of their own. The portable tests run
 * once more in two suites: in Chromium in `browser`, and on the newest Node of npm in `newest`.
 */
import { readdirSync } from "node:fs";

const apart = /^tests\/(?:browser|long|runners|slow)\//;

/** Returns the suite of a file: that of its folder, or `test`. */
export function suiteOf(file: string): string {
  return apart.exec(file)?.[0].slice("tests/".length, -1) ?? "test";
}

/** Whether the file runs on every runtime. */
export function isPortable(file: string): boolean {
  return file.startsWith("tests/portable/");
}

/** Returns the test files of a suite. */
export function listTests(suite: string): readonly string[] {
  return readdirSync("tests", { recursive: true, encoding: "utf8" })
    .filter((file) => /_test\.tsx?$/.test(file))
    .map((file) => `tests/${file.replaceAll("\\", "/")}`).sort()
    .filter((file) => isInSuite(file, suite));
}

/** Whether the file runs in a suite. */
export function isInSuite(file: string, suite: string): boolean {
  return suiteOf(file) === suite || ["browser", "newest"].includes(suite) && isPortable(file);
}

export type Building = "ground" | "server" | "kit" | "tools";

/** Returns the building of src/ that a file in tests/ belongs to. Undefined: it is for several, or for none. */
export function testedBuilding(file: string): Building | undefined {
  return /^tests\/(?:portable\/)?(ground|server|kit|tools)\//.exec(file)?.[1] as Building | undefined;
}
