/**
 * `deno task test [words]` runs the tests. Words choose the files whose path contains one of them or, if there is no such
 * file, the tests whose name contains one.
 *
 * - `--seed N`: repeats a run with the seed that it printed
 * - `--on NAME`: only on this runtime
 * - `--changed [--since COMMIT]`: only the files that import a changed file, without a commit since the last one
 * - `--durations`: lists how long each file took
 * - `--suite NAME`: the tests of a folder that this task leaves out, such as `browser`, or portable tests on the
 *   newest Node of npm, `newest`. Several run side by side
 * - `--without NAME`: leaves out the tests of a building, such as `server`, which `deno task test:alone` runs in a copy
 * - `--ci`: one file that needs Chromium or a database may fail once and pass twice
 * - `--awkward`: all random text begins with "-" and has no digit
 *
 * `deno test`, `bun test` and `node:test` run the tests and report them. This program does what they do not: it chooses
 * the files, finds or fetches the runtimes, bundles the tests for Node and Bun, starts the databases once for all, splits
 * the files into processes, runs these side by side, and adds their counts. It checks no types: `deno task ok` does.
 */
import { parseArgs } from "node:util";
import { present } from "../src/ground/values/present.ts";
import { runDeno } from "./run_program.ts";
import { asDeveloper } from "./runtimes.ts";
import { sideBySide } from "../src/ground/values/side_by_side.ts";
import { countCases, type Counts, describeCounts, oneFailed, sum } from "./test/counts.ts";
import { findChanged, findDependents } from "./test/changed.ts";
import { type Durations, readDurations } from "./test/durations.ts";
import { readEvents, sumByFile } from "./test/events.ts";
import { chooseLanes, type Lane } from "./test/lanes.ts";
import { describeSeconds, startProgress } from "./test/progress.ts";
import { describeFailed, type FailedFile, findUnstable, rerunFailed } from "./test/rerun.ts";
import { portsOf } from "./test/ports.ts";
import { eventsOf, type LaneOptions, type LaneResult, runLane } from "./test/run_lane.ts";
import { startServers } from "./test/servers.ts";
import { listTests, suiteOf, testedBuilding } from "./test/suites.ts";

/** What to run. */
export interface TestOptions {
  readonly words?: readonly string[];
  /** Default: those of `deno task test` alone. */
  readonly suites?: readonly string[];
  /** The buildings whose tests are left out. */
  readonly without?: readonly string[];
  readonly on?: string;
  readonly seed?: string;
  /** Only files that import a file that has changed since this commit. */
  readonly changedSince?: string;
  readonly listsDurations?: boolean;
  /** All random text begins with "-" and has no digit. */
  readonly isAwkward?: boolean;
  /** One file that needs Chromium or a database may be unstable. */
  readonly isInCi?: boolean;
}

/** A failure outside the tests counts as one failed test. */
export async function runTests(options: TestOptions): Promise<Counts> {
  const seed = options.seed ?? String(Math.floor(Math.random() * 2 ** 32));
  const durations = readDurations();
  const { files, words } = chooseFiles(options);
  const lanes = await chooseLanes(files, durations, options);
  if (lanes.length === 0 && options.changedSince !== undefined) {
    console.log("No test imports a file that has changed");
    return sum([]);
  }
  if (lanes.length === 0) {
    console.error("There are no such tests: choose other words, or another place after --on");
    return oneFailed;
  }
  // Fetches the packages that are missing.
  await runDeno("install", "--quiet", ...asDeveloper);
  await Deno.mkdir("dist", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "dist", prefix: "tests_" });
  // a page reaches no database
  const servers = await startServers(
    lanes.flatMap(({ files, runtime }) => runtime === "chromium" ? [] : files),
  );
  const estimate = estimateTime(lanes, durations);
  console.log(`Seed ${seed}: ${describeLanes(lanes)}. ${describeEstimate(estimate)}`);
  const progress = startProgress({ ...estimate, readDone: () => readDone(lanes, folder) });
  try {
    const variables = {
      ...servers.variables,
      POSTERN_TEST_WORDS: words.join(" "),
      POSTERN_TEST_SEED: seed,
      POSTERN_TEST_BUILT: `${await buildPackage(files)}`,
      ...options.isAwkward === true ? { POSTERN_TEST_RANDOM: "awkward" } : {},
    };
    const run = await prepareRun(lanes, { folder, variables, progress });
    const results = await sideBySide(lanes, run, most);
    const measured = sumDurations(results);
    for (const [place, files] of Map.groupBy(measured, ({ place }) => place)) {
      durations.save(place, new Map(files.map(({ file, seconds }) => [file, seconds])));
    }
    const failed = await rerunFailed(results, run);
    progress.end();
    return report(results, measured, failed, options, seed);
  } finally {
    progress.end();
    await servers.end();
    await Deno.remove(folder, { recursive: true });
  }
}

interface FileDuration {
  readonly place: string;
  readonly file: string;
  readonly seconds: number;
}

/** Several processes may each have run some tests of a file. Begins with the slowest. */
function sumDurations(results: readonly LaneResult[]): readonly FileDuration[] {
  const parts = results.flatMap(({ lane: { place }, durations }) =>
    [...durations].map(([file, seconds]) => ({ place, file, seconds }))
  );
  return [...Map.groupBy(parts, ({ place, file }) => `${place}\n${file}`).values()]
    .map((parts) => ({ ...parts[0]!, seconds: parts.reduce((sum, { seconds }) => sum + seconds, 0) }))
    .sort((one, other) => other.seconds - one.seconds);
}

// More than the cores, because tests wait for processes and timers.
const most = navigator.hardwareConcurrency * 2;

/** Returns a function that runs a lane. Lanes that need no bundles begin before these are made. */
function prepareRun(
  lanes: readonly Lane[],
  options: LaneOptions,
): (lane: Lane, index: number) => Promise<LaneResult> {
  const inChromium = (lane: Lane) => lane.runtime === "chromium";
  const bundle = (program: string, isMeant: (lane: Lane) => boolean) =>
    bundleTests(program, new Set(lanes.filter(isMeant).flatMap(({ files }) => files)), options.folder);
  const bundles = bundle("bundle_tests.ts", ({ wanted }) => wanted !== undefined);
  const pageBundle = bundle("bundle_for_chromium.ts", inChromium);
  return async (lane, index) => {
    if (lane.wanted !== undefined) await bundles;
    if (inChromium(lane)) await pageBundle;
    return await runLane(lane, {
      ...options,
      variables: { ...options.variables, POSTERN_TEST_PORTS: portsOf(index) },
    });
  };
}

function chooseFiles(
  { words = [], suites = ["test"], without = [], changedSince }: TestOptions,
): { readonly files: readonly string[]; readonly words: readonly string[] } {
  const all = [...new Set(suites.flatMap(listTests))].filter((file) =>
    !without.includes(testedBuilding(file) ?? "")
  );
  const found = changedSince === undefined ? all : findDependents(all, findChanged(changedSince));
  const named = found.filter((file) => words.some((word) => file.includes(word)));
  return named.length > 0 ? { files: named, words: [] } : { files: found, words };
}

function estimateTime(lanes: readonly Lane[], durations: Durations): Estimate {
  const secondsOf = ({ place, files, share }: Lane) =>
    files.reduce((sum, file) => sum + durations.secondsOf(place, file), 0) / (share?.each ?? 1);
  const seconds = lanes.map(secondsOf);
  const total = seconds.reduce((sum, each) => sum + each, 0);
  return {
    expected: total,
    clock: Math.max(...seconds, total / navigator.hardwareConcurrency),
    isMeasured: lanes.every(({ place, files }) => durations.has(place, files)),
  };
}

interface Estimate {
  /** Seconds of all tests. */
  readonly expected: number;
  /** Seconds until the end. */
  readonly clock: number;
  readonly isMeasured: boolean;
}

function describeEstimate({ clock, isMeasured }: Estimate): string {
  return `Takes about ${describeSeconds(clock)}${isMeasured ? ", as before" : ""}`;
}

function describeLanes(lanes: readonly Lane[]): string {
  return [...Map.groupBy(lanes, ({ place }) => place)].map(([place, lanes]) => {
    const files = new Set(lanes.flatMap(({ files }) => files)).size;
    return `${files} files on ${place}${lanes.length > 1 ? ` in ${lanes.length} processes` : ""}`;
  }).join(", ");
}

function readDone(lanes: readonly Lane[], folder: string): number {
  return lanes.flatMap((lane) => [...sumByFile(readEvents(eventsOf(folder, lane))).values()])
    .reduce((sum, seconds) => sum + seconds, 0);
}

/** Builds the npm package if tests install it, because processes that build it at the same time disturb each other. */
async function buildPackage(files: readonly string[]): Promise<boolean> {
  const installing = files.filter((file) => ["long", "runners"].includes(suiteOf(file)));
  if (findDependents(installing, ["tests/package/project.ts"]).length === 0) return false;
  const { success, output } = await runDeno("task", "--quiet", "build");
  if (!success) throw new Error(output);
  return true;
}

/** Bundles in a process of its own, because the bundlers are packages. */
async function bundleTests(program: string, files: ReadonlySet<string>, folder: string): Promise<void> {
  if (files.size === 0) return;
  const { success, output } = await runDeno(
    ...["run", ...asDeveloper, "--allow-all", `scripts/test/${program}`, folder, ...files],
  );
  if (!success) throw new Error(output);
}

/** Prints the results, and returns their sum. */
function report(
  results: readonly LaneResult[],
  slowest: readonly FileDuration[],
  failed: readonly FailedFile[],
  { listsDurations = false, isInCi = false }: TestOptions,
  seed: string,
): Counts {
  for (const { lane, counts, version, seconds } of results) {
    console.log(`${lane.name}: ${describeCounts(counts)} on ${version} (${seconds.toFixed(1)} s)`);
  }
  if (slowest.length > 10) console.log(listsDurations ? "Durations:" : "The slowest files:");
  for (
    const { file, seconds, place } of slowest.slice(
      0,
      listsDurations ? undefined : slowest.length > 10 ? 10 : 0,
    )
  ) {
    console.log(`${seconds.toFixed(1).padStart(7)} s  ${file} on ${place}`);
  }
  for (const each of failed) console.log(describeFailed(each));
  const counts = requireEqualCounts(results);
  const unstable = isInCi ? findUnstable(failed) : [];
  const isTolerated = unstable.length === 1 && failed.length === 1 && counts.failed > 0;
  console.log(`Seed ${seed}: ${describeCounts(counts)}`);
  if (!isTolerated) return counts;
  const [{ file }] = unstable as [FailedFile];
  Deno.writeTextFileSync("dist/unstable.json", JSON.stringify([{ file, seed }]));
  console.log(`UNSTABLE: ${file.toUpperCase()} FAILED ONCE AND PASSED TWICE, SEED ${seed}`);
  return { ...counts, failed: 0 };
}

/** Returns the sum. It is a failure if runtimes ran different numbers of the same tests, because one has missed some. */
function requireEqualCounts(results: readonly LaneResult[]): Counts {
  const total = sum(results.map(({ counts }) => counts));
  if (total.failed > 0) return total;
  if (countCases(total) === 0) {
    console.log("No test has run");
    return oneFailed;
  }
  const whole = results.filter(({ lane }) => lane.share === undefined);
  const unequal = [...Map.groupBy(whole, ({ lane }) => lane.files.toSorted().join()).values()]
    .filter((group) => new Set(group.map(({ counts }) => countCases(counts))).size > 1);
  for (const group of unequal) {
    const parts = group.map(({ lane, counts }) => `${lane.name} ran ${countCases(counts)} tests`);
    console.log(`${parts.join(", ")}: use test.skip() for a test that a runtime cannot run`);
  }
  return unequal.length === 0 ? total : sum([total, oneFailed]);
}

if (import.meta.main) {
  const { values, positionals } = parseArgs({
    args: Deno.args,
    options: {
      suite: { type: "string", multiple: true },
      without: { type: "string", multiple: true },
      on: { type: "string" },
      seed: { type: "string" },
      changed: { type: "boolean", default: false },
      since: { type: "string" },
      durations: { type: "boolean", default: false },
      awkward: { type: "boolean", default: false },
      ci: { type: "boolean", default: false },
    },
    allowPositionals: true,
  });
  const { suite: suites, without, on, seed, changed, since, durations, awkward, ci } = values;
  const total = await runTests({
    ...present({
      suites,
      without,
      on,
      seed,
      changedSince: changed || since !== undefined ? since ?? "HEAD~1" : undefined,
    }),
    words: positionals,
    listsDurations: durations,
    isAwkward: awkward,
    isInCi: ci,
  });
  Deno.exit(total.failed === 0 ? 0 : 1);
}
