/**
 * `deno task test [words]` runs the quick suite, and `deno task test:all [words]` the whole one. Words choose the files
 * whose path contains one of them or, if there is no such file, the tests whose name contains one. `--on NAME` runs the
 * whole suite of one runtime.
 *
 * `deno test`, `bun test` and `node:test` run the tests and report them. This program does what they do not: it chooses
 * the files of each runtime (`test_lanes.ts`), finds or fetches the runtimes, bundles the tests for Node and Bun, starts
 * the databases once for all, runs the lanes side by side, and compares and adds their counts. It checks no types:
 * `deno task ok` does.
 */
import { readdirSync } from "node:fs";
import { parseArgs } from "node:util";
import { readLines, runDeno } from "./run_program.ts";
import { asDeveloper, deno, obtainRuntime } from "./runtimes.ts";
import { sideBySide } from "./side_by_side.ts";
import { measureSlowness } from "./slowness.ts";
import { countCases, type Counts, describeCounts, oneFailed, readCounts, sum } from "./test_counts.ts";
import { chooseLanes, commandOf, isLate, isNoise, type Lane, reasonToSkip } from "./test_lanes.ts";
import { startServers } from "./test_servers.ts";

/** A failure outside the tests counts as one failed test. */
export async function runTests(args: readonly string[]): Promise<Counts> {
  const { lanes, words, isQuick } = chooseTests(args);
  if (lanes.length === 0) {
    console.error("There are no such tests: choose other words, or deno, node, bun or browser after --on");
    return oneFailed;
  }
  console.log(`Runs ${lanes.map(({ name, files }) => `${files.length} files on ${name}`).join(", ")}`);
  // Fetches the packages that are missing.
  await runDeno("install", "--quiet", ...asDeveloper);
  await Deno.mkdir("dist", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "dist", prefix: "tests_" });
  const servers = await startServers(lanes.flatMap(({ files }) => files));
  try {
    const bundled = new Set(lanes.flatMap(({ files, wanted }) => wanted === undefined ? [] : files));
    // Lanes that need no bundles begin before these are made.
    const bundles = bundled.size === 0 ? Promise.resolve() : bundleTests([...bundled], folder);
    const variables = { ...servers.variables, POSTERN_TEST_SLOWNESS: `${measureSlowness()}` };
    const run = async (lane: Lane, index: number): Promise<Counts> => {
      if (lane.wanted !== undefined) await bundles;
      return await tryLane(lane, folder, {
        ...variables,
        POSTERN_TEST_WORDS: words.join(" "),
        POSTERN_TEST_QUICK: `${isQuick}`,
        POSTERN_TEST_PORTS: portsOf(index),
      });
    };
    // More than the cores, because tests wait for processes and timers.
    return conclude(lanes, await sideBySide(lanes, run, navigator.hardwareConcurrency * 2));
  } finally {
    await servers.end();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Gives each lane ports of its own. */
function portsOf(index: number): string {
  const count = 2000;
  const first = 20_000 + index * count;
  return `${first}-${first + count - 1}`;
}

function chooseTests(
  args: readonly string[],
): { readonly lanes: readonly Lane[]; readonly words: readonly string[]; readonly isQuick: boolean } {
  const { values: { on, all = false }, positionals: words } = parseArgs({
    args: [...args],
    options: { on: { type: "string" }, all: { type: "boolean" } },
    allowPositionals: true,
  });
  const found = findTests(on);
  const named = found.filter((file) => words.some((word) => file.includes(word)));
  const isNamed = named.length > 0;
  const lanes = chooseLanes(isNamed ? named : found, { isWhole: all || on !== undefined, isNamed })
    .filter(({ runtime, name }) => on === undefined || on === name || on === runtime);
  const isQuick = !all && on === undefined && words.length === 0;
  return { lanes, words: isNamed ? [] : words, isQuick };
}

/** Finds the test files. Those of a browser, of other runners and the slow ones have tasks of their own. */
function findTests(on: string | undefined): readonly string[] {
  const folder = on === "browser" ? "tests/browser" : "tests";
  return readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => /_test\.tsx?$/.test(file) && !/^(?:browser|runners.run|slow)\b/.test(file))
    .map((file) => `${folder}/${file.replaceAll("\\", "/")}`).sort();
}

/** Bundles in a process of its own, because the bundler is a package. */
async function bundleTests(files: readonly string[], folder: string): Promise<void> {
  const { success, output } = await runDeno(
    ...["run", ...asDeveloper, "--allow-all", "scripts/bundle_tests.ts", folder, ...files],
  );
  if (!success) throw new Error(output);
}

async function tryLane(
  lane: Lane,
  folder: string,
  variables: Readonly<Record<string, string>>,
): Promise<Counts> {
  const started = performance.now();
  try {
    const { name, version, path } = lane.wanted === undefined ? deno : await obtainRuntime(lane.wanted);
    const counts = await runLane(lane, path, commandOf(lane, folder), variables);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    console.log(`${lane.name}: ${describeCounts(counts)} on ${name} ${version} (${seconds} s)`);
    return counts;
  } catch (error) {
    console.log(`${lane.name}: ${error instanceof Error ? error.message : error}`);
    return oneFailed;
  }
}

async function runLane(
  { name }: Lane,
  path: string,
  args: readonly string[],
  variables: Readonly<Record<string, string>>,
): Promise<Counts> {
  const child = new Deno.Command(path, {
    args: [...args],
    env: { NO_COLOR: "1", ...variables },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const lines: string[] = [];
  const take = (line: string) => {
    lines.push(line);
    if (!isNoise(line)) console.log(`${name} | ${line}`);
  };
  await Promise.all([child.stdout, child.stderr].map(async (stream) => {
    for await (const line of readLines(stream)) take(line);
  }));
  const { success } = await child.status;
  for (const [reason, tests] of Map.groupBy(new Set(lines), reasonToSkip)) {
    if (reason !== undefined) console.log(`${name}: ${tests.length} × skipped: ${reason}`);
  }
  const counts = sum([readCounts(lines) ?? oneFailed, ...lines.filter(isLate).map(() => oneFailed)]);
  // if no test failed but the process did, something else failed, such as loading a file
  return success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** Returns the sum. It is a failure if runtimes ran different numbers of the same tests, because one has missed some. */
function conclude(lanes: readonly Lane[], results: readonly Counts[]): Counts {
  const total = sum(results);
  if (total.failed > 0) return total;
  if (countCases(total) === 0) {
    console.log("No test has run");
    return oneFailed;
  }
  const unequal = [...Map.groupBy(lanes.keys(), (index) => lanes[index]!.files.join()).values()]
    .filter((group) => new Set(group.map((index) => countCases(results[index]!))).size > 1);
  for (const group of unequal) {
    const parts = group.map((index) => `${lanes[index]!.name} ran ${countCases(results[index]!)} tests`);
    console.log(`${parts.join(", ")}: use test.skip() for a test that a runtime cannot run`);
  }
  return unequal.length === 0 ? total : sum([total, oneFailed]);
}

if (import.meta.main) {
  const total = await runTests(Deno.args);
  console.log(describeCounts(total));
  Deno.exit(total.failed === 0 ? 0 : 1);
}
