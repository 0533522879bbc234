/** Which test file runs where: on Deno, Node and Bun, in the quick suite or only in the whole one. */
import { asDeveloper, bun, currentNode, oldestNode, type Wanted } from "./runtimes.ts";

/**
 * Tests of what a runtime brings: listeners, processes, HTTP messages, URLs, cryptography, SQLite, sockets, timers, and clients with
 * code of their own. The quick suite has them on Deno, Node 20 and Bun, and the whole one also on a second Node.
 */
const platform: readonly string[] = ["tests/portable/"];

/** Tests whose result is the same on every runtime, by what they read: sources, pages, figures, programs of their own. */
const onDenoOnly: readonly string[] = [
  "tests/architecture/",
  "tests/cli/",
  "tests/conformance/",
  "tests/documentation/",
  "tests/features/removal_test.ts",
  "tests/long/",
  "tests/misbehaviours/",
  "tests/package/",
  // The order of the server's steps is the same everywhere.
  "tests/races/",
  "tests/scale/",
  "tests/security/html_test.ts",
  "tests/security/stored_secrets_test.ts",
  "tests/security/time_test.ts",
  "tests/std_assert_test.ts",
];

/** What only the whole suite has, because it takes many seconds. Each line says what the quick suite has instead. */
const thorough: readonly string[] = [
  // installed packages, each program of each page, other test runners, kills and storms of requests
  "tests/long/",
  // the other commands, and the endpoints and the kit that these two call
  "tests/cli/examine_test.ts",
  "tests/cli/token_test.ts",
  // the other tests of races, with one order of the store calls
  "tests/races/races_test.ts",
  // the other tests of passwords and of throttling, with as many attempts as the limits allow
  "tests/security/sign_in_flood_test.ts",
  // the tests of bodies, forms and addresses with the same limits, and without a measurement of effort
  "tests/security/effort_test.ts",
  // several servers on one store, with one clock
  "tests/flows/two_clocks_test.ts",
  // catalogue_test.ts, which sends each fault to clients that check and to clients that do not
  "tests/misbehaviours/examined_test.ts",
  "tests/misbehaviours/plain_clients_test.ts",
];

/** All paths of these lists. */
export const listedPaths: readonly string[] = [...platform, ...onDenoOnly, ...thorough];

const runtimeOf = {
  once: "deno",
  deno: "deno",
  "node 20": "node",
  bun: "bun",
  "node 22": "node",
  browser: "deno",
} as const;

/** The longest lanes begin first. */
const names = Object.keys(runtimeOf) as readonly LaneName[];

type LaneName = keyof typeof runtimeOf;

/** One run of test files in one process. */
export interface Lane {
  readonly name: LaneName;
  readonly runtime: "deno" | "node" | "bun";
  /** The runtime to find or to fetch. Undefined: the Deno that runs this program. */
  readonly wanted: Wanted | undefined;
  readonly files: readonly string[];
}

const wanted: Partial<Record<LaneName, Wanted>> = { "node 20": oldestNode, "node 22": currentNode, bun };

/** Chooses the lanes of the files. A named file runs also if the quick suite lacks it. */
export function chooseLanes(
  files: readonly string[],
  { isWhole, isNamed }: { readonly isWhole: boolean; readonly isNamed: boolean },
): readonly Lane[] {
  const runs = (file: string, name: LaneName) =>
    placesOf(file).includes(name) && (isWhole || isQuick(file, name, isNamed));
  return names.map((name) => ({
    name,
    runtime: runtimeOf[name],
    wanted: wanted[name],
    files: files.filter((file) => runs(file, name)),
  })).filter(({ files }) => files.length > 0);
}

/** Where the whole suite runs a file. */
function placesOf(file: string): readonly LaneName[] {
  if (file.startsWith("tests/browser/")) return ["browser"];
  if (isIn(platform, file)) return ["deno", "node 20", "bun", "node 22"];
  return isIn(onDenoOnly, file) ? ["once"] : ["deno", "node 20", "bun"];
}

function isQuick(file: string, name: LaneName, isNamed: boolean): boolean {
  if (isIn(thorough, file) && !isNamed) return false;
  return runtimeOf[name] === "deno" || isIn(platform, file) && name !== "node 22";
}

function isIn(paths: readonly string[], file: string): boolean {
  return paths.some((path) => file.startsWith(path));
}

/** Returns the arguments of the runtime. The folder has the bundles. */
export function commandOf({ name, runtime, files }: Lane, folder: string): readonly string[] {
  const bundles = files.map((file) => `${folder}/${bundleOf(file)}`);
  if (runtime === "node") {
    const flags = ["--enable-source-maps", "--disable-warning=ExperimentalWarning", "--test-reporter=spec"];
    return [...flags, `${folder}/run_on_node.js`, ...bundles];
  }
  if (runtime === "bun") return ["test", ...bundles];
  const denoTest = ["test", ...asDeveloper, "--allow-all", "--no-check"];
  // Pages are tested in as many processes as there are cores. For the others one module imports all files, because Deno
  // loads the sources anew for each module that it is given.
  return name === "browser"
    ? [...denoTest, "--parallel", ...files]
    : [...denoTest, "tests/import_files.ts", "--", ...files];
}

/** The path of a bundled test below the folder of the bundles. */
export function bundleOf(file: string): string {
  return file.replace(/^tests\//, "").replace(/\.tsx?$/, ".js");
}

/** Whether the line says that a test has passed, has failed or was skipped. */
function isEnded(line: string): boolean {
  return /^.* \.\.\. (?:ok|ignored|FAILED) \(.*\)$|^\((?:pass|skip|fail)\) |^[✔✖﹣] /.test(line);
}

/** Whether the line says nothing about a failure. */
export function isNoise(line: string): boolean {
  if (isEnded(line)) return !/FAILED \(|^\(fail\)|^✖/.test(line);
  return /^\s*$|^running \d+ tests?|^ok \||^bun test v|^\s*\d+ (?:pass|skip|fail|error)s?$|^Ran \d+ tests?|^\d+ tests skipped:|^Blocking waiting for file lock|^ ok \(|^dist\/\S+:$|^ℹ \w+ [\d.]+$/
    .test(line);
}

/** Whether the line says that a test has failed on Node after its end, which Node does not count. */
export function isLate(line: string): boolean {
  return /^ℹ .*asynchronous activity after the test ended/.test(line);
}

/** Finds why a test was skipped. */
export function reasonToSkip(line: string): string | undefined {
  if (!isEnded(line)) return undefined;
  const name = line.replace(/ \.\.\. ignored \(.*$|(?: \([\d.]+ms\))? # SKIP$/, "");
  return /\(skipped: (.*)\)$/.exec(name)?.[1];
}
