/** The runs of the test suite: on each runtime, and once what cannot differ between runtimes. */
import { asDeveloper, bun, currentNode, oldestNode, type Runtime, type Wanted } from "./runtimes.ts";

/** Paths of the bundles of the tests. */
export interface TestBundles {
  /** By the path of the source. */
  readonly files: Readonly<Record<string, string>>;
  /** The bundle of `tests/run_on_node.ts`. */
  readonly runOnNode: string;
}

export interface LaneTests {
  readonly sources: readonly string[];
  /** Builds the bundles of all lanes at the first call. */
  readonly bundles: () => Promise<TestBundles>;
}

/** One run of the suite, or of a part of it, on one runtime. */
export interface Lane {
  /** The name in reports, for example "node 20". */
  readonly label: string;
  readonly name: Runtime["name"];
  /** The runtime to find or to fetch. Absent: the Deno that runs this program. */
  readonly wanted?: Wanted;
  readonly reaches: readonly Reach[];
  /** How long it usually takes on one core, in seconds. */
  readonly usualSeconds: number;
  readonly arguments: (tests: LaneTests, report: string) => Promise<readonly string[]>;
  /** Matches the line for a test that has ended. */
  readonly ended: RegExp;
  /** Matches other lines that are not shown. */
  readonly noise?: RegExp;
}

/**
 * Where a test file runs: on one runtime, on Deno, Node and Bun, or, if it tests what the platform does for the server, on
 * two versions of Node as well. Tests that start programs run apart from the others, so that neither wait for the other.
 */
export type Reach = "once" | "once, with programs" | "each runtime" | "each version";

const denoTest = ["test", ...asDeveloper, "--allow-all", "--no-check"];

const onDeno: Pick<Lane, "name" | "arguments" | "ended" | "noise"> = {
  name: "deno",
  // One module imports all files, because Deno loads the sources anew for each module that it is given.
  arguments: ({ sources }, report) =>
    Promise.resolve([...denoTest, `--junit-path=${report}`, "tests/import_files.ts", "--", ...sources]),
  ended: /^.* \.\.\. (?:ok|ignored|FAILED) \(.*\)$/,
  noise: /^running \d+ tests? from|^ok \|/,
};

/** The tests that need Chromium, as many files at a time as there are cores. */
export const browserLane: Lane = {
  ...onDeno,
  label: "browser",
  reaches: ["once"],
  usualSeconds: 240,
  arguments: ({ sources }, report) =>
    Promise.resolve([...denoTest, `--junit-path=${report}`, "--parallel", ...sources]),
};

const onNode: Pick<Lane, "name" | "arguments" | "ended" | "noise"> = {
  name: "node",
  arguments: async ({ sources, bundles }, report) => {
    const { files, runOnNode } = await bundles();
    return [
      ...["--enable-source-maps", "--disable-warning=ExperimentalWarning", runOnNode, report],
      ...sources.map((source) => files[source]!),
    ];
  },
  ended: /^\((?:pass|skip|fail)\) /,
  noise: /^running \d+ tests$/,
};

/** The longest begin first. */
export const lanes: readonly Lane[] = [
  { ...onDeno, label: "programs", reaches: ["once, with programs"], usualSeconds: 150 },
  { ...onDeno, label: "deno", reaches: ["each runtime", "each version"], usualSeconds: 140 },
  {
    ...onNode,
    label: "node 20",
    wanted: oldestNode,
    reaches: ["each runtime", "each version"],
    usualSeconds: 75,
  },
  {
    label: "bun",
    name: "bun",
    wanted: bun,
    reaches: ["each runtime", "each version"],
    usualSeconds: 70,
    arguments: async ({ sources, bundles }, report) => {
      const { files } = await bundles();
      return [
        ...["test", "--reporter=junit", `--reporter-outfile=${report}`],
        ...sources.map((source) => files[source]!),
      ];
    },
    ended: /^\((?:pass|skip|fail)\) /,
    noise: /^bun test v|^\s*\d+ (pass|skip|fail|error)s?$|^Ran \d+ tests?|^dist\/\S+:$/,
  },
  { ...onDeno, label: "once", reaches: ["once"], usualSeconds: 70 },
  { ...onNode, label: "node 22", wanted: currentNode, reaches: ["each version"], usualSeconds: 30 },
];

/** Paths with their reach. The longest path that fits decides. Other files run on each runtime. */
const reachOf: Readonly<Record<string, Reach>> = {
  // Tests of the sources, the documentation, the packages and the figures.
  "tests/architecture/": "once",
  "tests/documentation/": "once, with programs",
  "tests/embedding/": "once, with programs",
  "tests/package/": "once, with programs",
  "tests/scale/": "once",
  "tests/std_assert_test.ts": "once",
  // The order of the server's steps is the same everywhere, but SQLite is a part of the runtime, and Node 20 has none.
  "tests/races/": "once",
  "tests/races/locked_file_test.ts": "each version",
  "tests/races/storm_test.ts": "each version",
  "tests/conformance/": "once",
  "tests/features/removal_test.ts": "once",
  "tests/misbehaviours/": "once",
  "tests/misbehaviours/visit_test.ts": "each runtime",
  "tests/security/html_test.ts": "once",
  "tests/security/sto_test.ts": "once",
  "tests/security/time_test.ts": "once",
  // The tests of the packages use the command on Node and Bun. Beyond that, only the life of a server differs.
  "tests/cli/": "once, with programs",
  "tests/cli/start_test.ts": "each version",
  "tests/cli/stop_test.ts": "each version",
  "tests/cli/store_test.ts": "each version",
  "tests/cli/tls_test.ts": "each runtime",
  "tests/cli/watch_test.ts": "each runtime",
  // Tests of sockets, files, HTTP messages and cryptography, and of clients that bring their own.
  "tests/clients/": "each version",
  "tests/crypto/": "each version",
  "tests/http/": "each version",
  "tests/mock/network/": "each version",
  "tests/runner_test.ts": "each version",
  "tests/runtime/": "each version",
  // Only Deno opens them itself.
  "tests/runtime/open_tls_test.ts": "once",
  "tests/stores/postgres_test.ts": "each version",
  "tests/stores/redis_test.ts": "each version",
  "tests/stores/sqlite_test.ts": "each version",
};

export function findReach(file: string): Reach {
  const fitting = Object.keys(reachOf).filter((path) => file.startsWith(path));
  const longest = fitting.reduce((some, path) => path.length > some.length ? path : some, "");
  return reachOf[longest] ?? "each runtime";
}
