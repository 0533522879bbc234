/** The runs of the test suite: on each runtime, and once what cannot differ between runtimes. */
import { asDeveloper, bun, currentNode, oldestNode, type Runtime, type Wanted } from "./runtimes.ts";

/** Paths of the bundles of the tests. */
export interface TestBundles {
  readonly files: readonly string[];
  /** The bundle that runs all files in one process. Its argument is the path of the report to write. */
  readonly all: string;
}

export interface LaneTests {
  readonly sources: readonly string[];
  /** Builds the bundles at the first call. */
  readonly bundles: () => Promise<TestBundles>;
}

/** One run of the suite, or of a part of it, on one runtime. */
export interface Lane {
  /** The name in reports, for example "node 20". */
  readonly label: string;
  readonly name: Runtime["name"];
  /** The runtime to find or to fetch. Absent: the Deno that runs this program. */
  readonly wanted?: Wanted;
  /** True if the lane runs the tests that need only one runtime, and false if it runs the others. */
  readonly runsOnce: boolean;
  /** How long it usually takes on one core, in seconds. */
  readonly usualSeconds: number;
  readonly arguments: (tests: LaneTests, report: string) => Promise<readonly string[]>;
  /** Matches the line for a test that has ended. */
  readonly ended: RegExp;
  /** Matches other lines that are not shown. */
  readonly noise?: RegExp;
}

const onDeno: Pick<Lane, "name" | "arguments" | "ended" | "noise"> = {
  name: "deno",
  arguments: ({ sources }, report) =>
    Promise.resolve(["test", ...asDeveloper, "--allow-all", `--junit-path=${report}`, ...sources]),
  ended: /^.* \.\.\. (?:ok|ignored|FAILED) \(.*\)$/,
  noise: /^running \d+ tests? from|^ok \||^Check /,
};

/** The tests that need Chromium, as many files at a time as there are cores. */
export const browserLane: Lane = {
  ...onDeno,
  label: "browser",
  runsOnce: true,
  usualSeconds: 240,
  arguments: async (tests, report) => [...await onDeno.arguments(tests, report), "--parallel"],
};

const onNode: Pick<Lane, "name" | "runsOnce" | "usualSeconds" | "arguments" | "ended" | "noise"> = {
  name: "node",
  runsOnce: false,
  usualSeconds: 75,
  arguments: async ({ bundles }, report) => [
    "--enable-source-maps",
    "--disable-warning=ExperimentalWarning",
    (await bundles()).all,
    report,
  ],
  ended: /^\((?:pass|skip|fail)\) /,
  noise: /^running \d+ tests$/,
};

export const lanes: readonly Lane[] = [
  { ...onDeno, label: "deno", runsOnce: false, usualSeconds: 170 },
  { ...onDeno, label: "once", runsOnce: true, usualSeconds: 120 },
  { ...onNode, label: "node 20", wanted: oldestNode },
  { ...onNode, label: "node 22", wanted: currentNode },
  {
    label: "bun",
    name: "bun",
    wanted: bun,
    runsOnce: false,
    usualSeconds: 70,
    arguments: async ({ bundles }, report) => [
      ...["test", "--reporter=junit", `--reporter-outfile=${report}`],
      ...(await bundles()).files,
    ],
    ended: /^\((?:pass|skip|fail)\) /,
    noise: /^bun test v|^\s*\d+ (pass|skip|fail|error)s?$|^Ran \d+ tests?|^dist\/\S+:$/,
  },
];

/**
 * The tests that need no second runtime: of the sources, the documentation, the packages, the catalogue of misbehaviours,
 * and of processes over each store. Deno runs them.
 */
const onceOnly = [
  "tests/architecture/",
  "tests/documentation/",
  "tests/embedding/",
  "tests/misbehaviours/",
  "tests/package/",
  "tests/races/kills_test.ts",
  "tests/races/two_processes_test.ts",
  "tests/std_assert_test.ts",
];

export function runsOnce(file: string): boolean {
  return onceOnly.some((path) => file.startsWith(path));
}
