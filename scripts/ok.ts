/**
 * `deno task ok`, the gate: format, lint, types, promises that are left alone, documentation, page scripts, both packages, the
 * tests. `--seed N`, `--ci` and `--without NAME` are those of `deno task test`.
 */
import { parseArgs } from "node:util";
import { present } from "../src/ground/values/present.ts";
import { entries } from "./package/entries.ts";
import { type Outcome, runDeno } from "./run_program.ts";
import { asDeveloper } from "./runtimes.ts";
import { checkNpmPackage, checkPublication } from "./shipped.ts";
import { sideBySide } from "../src/ground/values/side_by_side.ts";
import { runTests } from "./test.ts";
import { type Counts, describeCounts, sum } from "./test/counts.ts";

const { values: { seed, without, ci: isInCi } } = parseArgs({
  args: Deno.args,
  options: {
    seed: { type: "string" },
    without: { type: "string", multiple: true },
    ci: { type: "boolean", default: false },
  },
});

const sources = entries.map(({ source }) => source);

const steps: Readonly<Record<string, () => Promise<Outcome>>> = {
  "types, for developers": () => runDeno("check", "--quiet", ...asDeveloper),
  "types, as shipped": () => runDeno("check", "--quiet", ...sources, "src/tools/cli/main.ts"),
  "types, for the oldest runtimes": () =>
    runDeno("run", ...asDeveloper, "--allow-all", "scripts/oldest_types.ts"),
  "promises are awaited": () => runDeno("run", ...asDeveloper, "--allow-all", "scripts/promises.ts"),
  format: () => runDeno("fmt", "--check"),
  lint: () => runDeno("lint"),
  documentation: checkDocumentation,
  "page scripts are built": () =>
    runDeno("run", ...asDeveloper, "--allow-all", "scripts/page_files.ts", "--check"),
  "publication on JSR": checkPublication,
  "npm package": checkNpmPackage,
};

const results = await sideBySide(Object.entries(steps), async ([name, step]): Promise<Counts> => {
  const started = performance.now();
  const { success, output } = await step();
  const seconds = ((performance.now() - started) / 1000).toFixed(1);
  console.log(`${success ? "ok" : `${output.trim()}\nnot ok`}: ${name} (${seconds} s)`);
  return { passed: success ? 1 : 0, failed: success ? 0 : 1, skipped: 0 };
}, navigator.hardwareConcurrency);
const before = sum(results);
// the tests take longest, and print their own report
const total = before.failed > 0
  ? before
  : sum([before, await runTests({ ...present({ seed, without }), isInCi })]);
console.log(describeCounts(total));
Deno.exit(total.failed === 0 ? 0 : 1);

/** Checks that every public type is exported and every export has a comment. Members need none. */
async function checkDocumentation(): Promise<Outcome> {
  const { success, output } = await runDeno("doc", "--lint", ...sources);
  if (success) return { success, output };
  const complaints = output.split(/^(?=error)/m).filter((text) => text.startsWith("error["));
  const serious = complaints.filter((text) =>
    !text.startsWith("error[missing-jsdoc]") || /^\s*\d+ \| export /m.test(text)
  );
  return { success: complaints.length > 0 && serious.length === 0, output: serious.join("\n") || output };
}
