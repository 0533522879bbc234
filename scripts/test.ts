/**
 * `deno task test [--on deno|node|bun] [--limit SECONDS] [words]`: runs the tests on every runtime. Words choose the
 * files whose path contains one of them or, if there is no such file, the tests whose name contains one. The limit is
 * for each runtime, and longer on a slow machine. The last line is the sum over all runtimes.
 */
import { parseArgs } from "node:util";
import { bundleTests, type TestBundles } from "./bundle.ts";
import { asDeveloper, bun, currentNode, deno, obtainRuntime, oldestNode, type Runtime } from "./runtimes.ts";
import { sideBySide } from "./side_by_side.ts";
import { measureSlowness } from "./slowness.ts";
import { type Counts, describeCounts, readReport, sum } from "./test_report.ts";

interface Tests {
  readonly sources: readonly string[];
  /** Builds the bundles at the first call. */
  readonly bundles: () => Promise<TestBundles>;
}

/** One run of the suite on one runtime. */
interface Lane {
  readonly name: Runtime["name"];
  readonly obtain: () => Promise<Runtime>;
  readonly arguments: (tests: Tests, report: string) => Promise<readonly string[]>;
  /** Output lines that are not shown. */
  readonly noise?: RegExp;
}

const onNode: Omit<Lane, "obtain"> = {
  name: "node",
  arguments: async ({ bundles }, report) => [
    "--enable-source-maps",
    "--disable-warning=ExperimentalWarning",
    (await bundles()).all,
    report,
  ],
};

const lanes: readonly Lane[] = [
  {
    name: "deno",
    obtain: () => Promise.resolve(deno),
    arguments: ({ sources }, report) =>
      Promise.resolve(["test", ...asDeveloper, "--allow-all", `--junit-path=${report}`, ...sources]),
    noise: /^running \d+ tests? from|^.* \.\.\. (ok|ignored) \(.*\)$|^ok \||^Check /,
  },
  { ...onNode, obtain: () => obtainRuntime(oldestNode) },
  { ...onNode, obtain: () => obtainRuntime(currentNode) },
  {
    name: "bun",
    obtain: () => obtainRuntime(bun),
    arguments: async ({ bundles }, report) => [
      ...["test", "--only-failures", "--reporter=junit", `--reporter-outfile=${report}`],
      ...(await bundles()).files,
    ],
    noise: /^bun test v|^\s*\d+ (pass|skip|fail|error)s?$|^Ran \d+ tests?|^dist\/\S+:$/,
  },
];

const oneFailed: Counts = { passed: 0, failed: 1, skipped: 0 };

interface Chosen {
  readonly on: string | undefined;
  /** Seconds for each runtime on a machine of usual speed. */
  readonly limit: number;
  readonly files: readonly string[];
  readonly words: readonly string[];
}

/** A failure outside the tests counts as one failed test. */
export async function runTests(args: readonly string[]): Promise<Counts> {
  const { on, limit, files, words } = chooseTests(args);
  const chosen = lanes.filter(({ name }) => on === undefined || on === name);
  if (chosen.length === 0) {
    console.error(`Cannot test on ${on}: choose deno, node or bun`);
    return oneFailed;
  }

  const slowness = measureSlowness();
  if (slowness >= 1.5) {
    console.log(
      `This machine is ${slowness.toFixed(1)} times slower than usual, so limits are that much longer`,
    );
  }
  await Deno.mkdir("dist", { recursive: true });
  const folder = await Deno.makeTempDir({ dir: "dist", prefix: "tests_" });
  try {
    let bundles: Promise<TestBundles> | undefined;
    const tests: Tests = {
      sources: files,
      bundles: () => bundles ??= bundleTests(files, `${folder}/bundles`),
    };
    const results = await sideBySide(chosen, async (lane, index): Promise<Counts> => {
      const started = performance.now();
      try {
        const runtime = await lane.obtain();
        const report = `${folder}/${index}.xml`;
        const counts = await runLane({ lane, runtime, tests, words, report, slowness, limit });
        const seconds = ((performance.now() - started) / 1000).toFixed(1);
        console.log(`${lane.name} ${runtime.version}: ${describeCounts(counts)} (${seconds} s)`);
        return counts;
      } catch (error) {
        console.log(`${lane.name}: ${error instanceof Error ? error.message : error}`);
        return oneFailed;
      }
    });
    return conclude(results);
  } finally {
    await Deno.remove(folder, { recursive: true });
  }
}

function chooseTests(args: readonly string[]): Chosen {
  const { values: { on, limit = "600" }, positionals: words } = parseArgs({
    args: [...args],
    options: { on: { type: "string" }, limit: { type: "string" } },
    allowPositionals: true,
  });
  const all = [...findTests("tests")].sort();
  const named = all.filter((file) => words.some((word) => file.includes(word)));
  const chosen = named.length > 0 ? { files: named, words: [] } : { files: all, words };
  return { on, limit: Number(limit), ...chosen };
}

function* findTests(folder: string): Generator<string> {
  for (const { name, isDirectory } of Deno.readDirSync(folder)) {
    const path = `${folder}/${name}`;
    // these two folders have their own tasks
    if (path === "tests/browser" || path === "tests/slow") continue;
    if (isDirectory) yield* findTests(path);
    else if (/_test\.tsx?$/.test(name)) yield path;
  }
}

interface LaneRun {
  readonly lane: Lane;
  readonly runtime: Runtime;
  readonly tests: Tests;
  readonly words: readonly string[];
  readonly report: string;
  readonly slowness: number;
  readonly limit: number;
}

async function runLane(
  { lane, runtime, tests, words, report, slowness, limit }: LaneRun,
): Promise<Counts> {
  const child = new Deno.Command(runtime.path, {
    args: [...await lane.arguments(tests, report)],
    env: { NO_COLOR: "1", POSTERN_TEST_WORDS: words.join(" "), POSTERN_TEST_SLOWNESS: `${slowness}` },
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
  const show = failuresOnly(`${runtime.name} ${runtime.version.split(".")[0]}`, lane.noise);
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
    console.log(`${runtime.name} ${runtime.version}: ${times} × skipped: ${reason}`);
  }
  // if no test failed but the process did, something else failed, such as loading a file
  return success || counts.failed > 0 ? counts : { ...counts, failed: 1 };
}

function failuresOnly(label: string, noise: RegExp | undefined): (line: string) => void {
  let wasBlank = true;
  return (line) => {
    const isBlank = line.trim() === "";
    if (noise?.test(line) || (isBlank && wasBlank)) return;
    wasBlank = isBlank;
    console.log(`${label} | ${line}`);
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

/** Returns the sum. It is a failure if the runtimes ran different numbers of tests, because one has missed some. */
function conclude(results: readonly Counts[]): Counts {
  const sizes = new Set(results.map(({ passed, failed, skipped }) => passed + failed + skipped));
  const missed = sizes.size > 1 && results.every(({ failed }) => failed === 0);
  if (missed) {
    console.log(
      `The runtimes ran ${[...sizes].join(", ")} tests: use test.skip() for a test that a runtime cannot run`,
    );
  }
  const total = sum(results);
  const nothing = results.some(({ passed, skipped }) => passed + skipped === 0);
  if (nothing) console.log("A runtime ran no test");
  return total.failed === 0 && (missed || nothing) ? sum([total, oneFailed]) : total;
}

if (import.meta.main) {
  const total = await runTests(Deno.args);
  console.log(describeCounts(total));
  Deno.exit(total.failed === 0 ? 0 : 1);
}
