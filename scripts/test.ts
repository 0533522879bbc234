/**
 * `deno task test [--on deno|node|bun|browser] [--limit SECONDS] [words]`: runs the tests on each runtime, and once what
 * cannot differ between runtimes. It checks no types: `deno task ok` does. Words choose the files whose path contains one
 * of them or, if there is no such file, the tests whose name contains one. The limit is for each runtime, and longer on a
 * slow machine. The last line is the sum over all runtimes. This program imports no package, so that it can say what it
 * fetches.
 */
import { parseArgs } from "node:util";
import { runDeno } from "./run_program.ts";
import { asDeveloper, deno, obtainRuntime, type Runtime } from "./runtimes.ts";
import { sideBySide } from "./side_by_side.ts";
import { measureSlowness } from "./slowness.ts";
import { browserLane, findReach, type Lane, lanes, type LaneTests, type TestBundles } from "./test_lanes.ts";
import { startServers, type TestServers } from "./test_servers.ts";
import { describeDuration, fetchMissing } from "./test_plan.ts";
import { createProgress, type Progress } from "./test_progress.ts";
import { type Counts, describeCases, describeCounts, readReport, sum } from "./test_report.ts";

const oneFailed: Counts = { passed: 0, failed: 1, skipped: 0 };

const browserTests = "tests/browser";

interface Chosen {
  readonly on: string | undefined;
  /** Seconds for each runtime on a machine of usual speed. */
  readonly limit: number;
  readonly files: readonly string[];
  readonly words: readonly string[];
}

/** A lane with its files. */
interface Run {
  readonly lane: Lane;
  readonly files: readonly string[];
}

/** A failure outside the tests counts as one failed test. */
export async function runTests(args: readonly string[]): Promise<Counts> {
  const chosen = chooseTests(args);
  const runs = chooseRuns(chosen);
  if (runs.length === 0) {
    console.error(`There are no such tests on ${chosen.on}: choose deno, node or bun, and other words`);
    return oneFailed;
  }
  const slowness = measureSlowness();
  const chosenLanes = runs.map(({ lane }) => lane);
  describeRun(runs, args.length === 0 ? describeDuration(chosenLanes, slowness) : undefined);
  if (slowness >= 1.5) {
    console.log(
      `This machine is ${slowness.toFixed(1)} times slower than usual, so limits are that much longer`,
    );
  }
  let servers: TestServers | undefined;
  try {
    await fetchMissing(chosenLanes);
    servers = await startServers(chosen.files);
    return conclude(runs, await runAll(runs, chosen, slowness, servers));
  } catch (error) {
    console.error(error instanceof Error ? error.message : error);
    return oneFailed;
  } finally {
    await servers?.end();
  }
}

function describeRun(runs: readonly Run[], duration: string | undefined): void {
  const labels = runs.filter(({ lane }) => !runsOnce(lane)).map(({ lane }) => lane.label);
  const files = new Set(runs.flatMap(({ files }) => files)).size;
  const where = labels.length === 0 ? "on deno" : `on ${labels.join(", ")}`;
  console.log(
    `Runs ${files} test ${files === 1 ? "file" : "files"} ${where}${
      duration === undefined ? "" : `: ${duration}`
    }`,
  );
}

async function runAll(
  runs: readonly Run[],
  { limit, words }: Chosen,
  slowness: number,
  { variables }: TestServers,
): Promise<readonly Counts[]> {
  await Deno.mkdir("dist", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "dist", prefix: "tests_" });
  const progress = createProgress({
    write: (text) => void Deno.stdout.writeSync(new TextEncoder().encode(text)),
    isTerminal: Deno.stdout.isTerminal(),
    groups: groupByFiles(runs).map((group) => group.map(({ lane }) => lane.label)),
  });
  try {
    let bundles: Promise<TestBundles> | undefined;
    const bundled = runs.filter(({ lane }) => lane.name !== "deno").flatMap(({ files }) => files);
    const run = async ({ lane, files }: Run, index: number): Promise<Counts> => {
      const tests: LaneTests = {
        sources: files,
        bundles: () => bundles ??= bundleTests([...new Set(bundled)], `${folder}/bundles`),
      };
      return await tryLane(lane, {
        tests,
        words,
        report: `${folder}/${index}.xml`,
        ports: portsOf(index),
        slowness,
        limit,
        progress,
        variables,
      });
    };
    // More than the cores, because tests wait for processes and timers.
    return await sideBySide(runs, run, navigator.hardwareConcurrency * 2);
  } finally {
    progress.close();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Gives each lane ports of its own. */
function portsOf(index: number): string {
  const count = 2000;
  const first = 20_000 + index * count;
  return `${first}-${first + count - 1}`;
}

function chooseTests(args: readonly string[]): Chosen {
  // Several times as long as a lane takes, because the machine may become slower after its speed was measured.
  const { values: { on, limit = "1200" }, positionals: words } = parseArgs({
    args: [...args],
    options: { on: { type: "string" }, limit: { type: "string" } },
    allowPositionals: true,
  });
  const all = [...findTests(on === "browser" ? browserTests : "tests")].sort();
  const named = all.filter((file) => words.some((word) => file.includes(word)));
  const chosen = named.length > 0 ? { files: named, words: [] } : { files: all, words };
  return { on, limit: Number(limit), ...chosen };
}

function* findTests(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    // these two folders have their own tasks
    if (path === browserTests || path === "tests/slow") continue;
    if (isDirectory) yield* findTests(path);
    else if (/_test\.tsx?$/.test(name)) yield path;
  }
}

function chooseRuns({ on, files }: Chosen): readonly Run[] {
  if (on === "browser") return [{ lane: browserLane, files }];
  return lanes
    .filter(({ name }) => on === undefined || on === name)
    .map((lane) => ({ lane, files: files.filter((file) => lane.reaches.includes(findReach(file))) }))
    .filter(({ files }) => files.length > 0);
}

function runsOnce({ reaches }: Lane): boolean {
  return reaches.some((reach) => reach.startsWith("once"));
}

/** Groups the runs that have the same files. */
function groupByFiles(runs: readonly Run[]): readonly (readonly Run[])[] {
  return [...Map.groupBy(runs, ({ files }) => files.join()).values()];
}

/** Bundles in a process of its own, because the bundler is a package. */
async function bundleTests(files: readonly string[], folder: string): Promise<TestBundles> {
  const { success, output } = await runDeno(
    ...["run", ...asDeveloper, "--allow-all", "scripts/bundle_tests.ts", folder, ...files],
  );
  if (!success) throw new Error(output);
  return JSON.parse(output.slice(output.indexOf("{"))) as TestBundles;
}

interface LaneRun {
  readonly tests: LaneTests;
  readonly words: readonly string[];
  readonly report: string;
  /** The ports that `tests/free_port.ts` may find, as a range. */
  readonly ports: string;
  readonly slowness: number;
  readonly limit: number;
  readonly progress: Progress;
  /** Environment variables that name the servers of the tests. */
  readonly variables: Readonly<Record<string, string>>;
}

async function tryLane(lane: Lane, run: LaneRun): Promise<Counts> {
  const { print, end } = run.progress;
  const started = performance.now();
  try {
    const runtime = lane.wanted === undefined ? deno : await obtainRuntime(lane.wanted);
    const counts = await runLane(lane, runtime, run);
    const seconds = ((performance.now() - started) / 1000).toFixed(1);
    print(`${nameOf(lane, runtime)}: ${describeCounts(counts)} (${seconds} s)`);
    return counts;
  } catch (error) {
    print(`${lane.label}: ${error instanceof Error ? error.message : error}`);
    return oneFailed;
  } finally {
    end(lane.label);
  }
}

function nameOf(lane: Lane, { name, version }: Runtime): string {
  return `${runsOnce(lane) ? `${lane.label}, on ` : ""}${name} ${version}`;
}

async function runLane(
  lane: Lane,
  runtime: Runtime,
  { tests, words, report, ports, slowness, limit, progress, variables }: LaneRun,
): Promise<Counts> {
  const child = new Deno.Command(runtime.path, {
    args: [...await lane.arguments(tests, report)],
    env: {
      NO_COLOR: "1",
      POSTERN_TEST_WORDS: words.join(" "),
      POSTERN_TEST_SLOWNESS: `${slowness}`,
      POSTERN_TEST_PORTS: ports,
      ...variables,
    },
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
  }).spawn();
  const seconds = limit * slowness;
  let timedOut = false;
  const timer = setTimeout(() => {
    timedOut = true;
    child.kill("SIGKILL");
  }, seconds * 1000);
  const show = followLines(lane, progress);
  await Promise.all([readLines(child.stdout, show), readLines(child.stderr, show)]);
  const { success, signal } = await child.status;
  clearTimeout(timer);
  if (timedOut) {
    throw new Error(
      `timed out: it was stopped after ${Math.round(seconds)} s; --limit sets another limit`,
    );
  }
  if (signal !== null) throw new Error(`it was stopped by ${signal}`);

  const { reasons, ...counts } = readReport(await Deno.readTextFile(report).catch(() => ""));
  for (const [reason, times] of reasons) {
    progress.print(`${nameOf(lane, runtime)}: ${times} × skipped: ${reason}`);
  }
  // if no test failed but the process did, something else failed, such as loading a file
  return success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

/** Counts the tests that have ended, and prints what is about failures. */
function followLines({ label, ended, noise }: Lane, progress: Progress): (line: string) => void {
  let wasBlank = true;
  return (line) => {
    const [, all] = /^running (\d+) tests$/.exec(line) ?? [];
    if (all !== undefined) progress.expect(label, Number(all));
    const isEnded = ended.test(line);
    if (isEnded) progress.count(label);
    const isBlank = line.trim() === "";
    if (isEnded && !/FAILED|^\(fail\)/.test(line) || noise?.test(line) || (isBlank && wasBlank)) return;
    wasBlank = isBlank;
    progress.print(`${label} | ${line}`);
  };
}

async function readLines(stream: ReadableStream<Uint8Array>, show: (line: string) => void): Promise<void> {
  const decoder = new TextDecoder();
  let rest = "";
  for await (const octets of stream) {
    const lines = (rest + decoder.decode(octets, { stream: true })).split("\n");
    rest = lines.pop() ?? "";
    lines.forEach(show);
  }
  if (rest !== "") show(rest);
}

/** Returns the sum. It is a failure if runtimes ran different numbers of the same tests, because one has missed some. */
function conclude(runs: readonly Run[], results: readonly Counts[]): Counts {
  const groups = groupByFiles(runs).map((group) => ({
    labels: group.map(({ lane }) => lane.label),
    counts: group.map((run) => results[runs.indexOf(run)]!),
  }));
  const missed = groups.some(({ labels, counts }) => {
    const sizes = new Set(counts.map(countCases));
    if (sizes.size === 1 || counts.some(({ failed }) => failed > 0)) return false;
    console.log(
      `${labels.join(", ")} ran ${[...sizes].join(", ")} tests: ` +
        "use test.skip() for a test that a runtime cannot run",
    );
    return true;
  });
  const total = sum(results);
  const nothing = countCases(total) === 0;
  console.log(nothing ? "No test has run" : describeCases(groups));
  return total.failed === 0 && (missed || nothing) ? sum([total, oneFailed]) : total;
}

function countCases({ passed, failed, skipped }: Counts): number {
  return passed + failed + skipped;
}

if (import.meta.main) {
  const total = await runTests(Deno.args);
  console.log(describeCounts(total));
  Deno.exit(total.failed === 0 ? 0 : 1);
}
