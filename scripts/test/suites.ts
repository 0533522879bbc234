/** The suites: `deno task test` runs the tests of all folders but these, which have tasks of their own. */

const apart = /^tests\/(?:browser|long|runners|slow)\//;

/** Returns the suite of a file: that of its folder, or `test`. */
export function suiteOf(file: string): string {
  return apart.exec(file)?.[0].slice("tests/".length, -1) ?? "test";
}
