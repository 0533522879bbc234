/** Which test files run where: `tests/portable/` at every place, the others once. A lane is one process of tests. */
import {
  asDeveloper,
  bun,
  currentNode,
  findNewestNode,
  findVersion,
  oldestNode,
  type Wanted,
} from "../runtimes.ts";
import { bundleOf } from "./bundle_of.ts";
import { type Durations, splitEvenly } from "./durations.ts";
import { isPortable, suiteOf } from "./suites.ts";

/** One run of test files in one process. */
export interface Lane {
  readonly name: string;
  /** The name of the lane, without the number of the process. */
  readonly place: string;
  readonly runtime: "deno" | "node" | "bun" | "chromium";
  /** The runtime to find or to fetch. Undefined: the Deno that runs this program. */
  readonly wanted: Wanted | undefined;
  readonly files: readonly string[];
  /** Of each `each` tests in turn, the one at the index `first` runs. Undefined: all tests run. */
  readonly share?: { readonly first: number; readonly each: number };
}

/** A runtime, and the processes that its tests are split into. */
interface Place extends Omit<Lane, "files" | "place" | "share"> {
  readonly processes: number;
  /** In which the portable tests run here. Undefined: these do not. */
  readonly suite: string | undefined;
}

const cores = navigator.hardwareConcurrency;

async function listPlaces(suites: readonly string[]): Promise<readonly Place[]> {
  return [
    // the first, because it would be alone at the end
    ...suites.includes("newest") ? [{ ...await placeOfNode(await findNewestNode()), suite: "newest" }] : [],
    { name: "deno", runtime: "deno", wanted: undefined, processes: cores, suite: "test" },
    { name: "browser", runtime: "deno", wanted: undefined, processes: cores, suite: undefined },
    { name: "page", runtime: "chromium", wanted: undefined, processes: 1, suite: "browser" },
    { name: "worker", runtime: "chromium", wanted: undefined, processes: 1, suite: "browser" },
    { ...await placeOfNode(oldestNode), suite: "test" },
    { ...await placeOfNode(currentNode), suite: "test" },
    { name: "bun", runtime: "bun", wanted: bun, processes: 1, suite: "test" },
  ];
}

/** Names the version that runs, which is that of the PATH if it can be used. */
async function placeOfNode(wanted: Wanted): Promise<Omit<Place, "suite">> {
  const [major] = (await findVersion(wanted)).split(".");
  return { name: `node ${major}`, runtime: "node", wanted, processes: 1 };
}

function runsAt(file: string, suites: readonly string[], { name, runtime, suite }: Place): boolean {
  if (isPortable(file)) return suites.some((each) => each === suite);
  return runtime === "deno" && (name === "browser") === (suiteOf(file) === "browser");
}

export interface LaneChoice {
  /** Default: that of `deno task test`. */
  readonly suites?: readonly string[] | undefined;
  /** The name of a place or a runtime. */
  readonly on?: string | undefined;
}

export async function chooseLanes(
  files: readonly string[],
  durations: Durations,
  { suites = ["test"], on }: LaneChoice = {},
): Promise<readonly Lane[]> {
  const places = await listPlaces(suites);
  const isMeant = ({ name, runtime }: Place) => on === undefined || [name, runtime].includes(on);
  return places.filter(isMeant).flatMap(
    (place) => {
      const { name, runtime, wanted, processes } = place;
      const chosen = files.filter((file) => runsAt(file, suites, place));
      if (chosen.length === 0) return [];
      // A few files of these suites take most of the time. Until a run has measured them, each process runs some tests of
      // every file.
      const isShared = processes > 1 && chosen.length > processes && !durations.has(name, chosen) &&
        chosen.every((file) => suiteOf(file) !== "test");
      const parts = isShared
        ? Array.from({ length: processes }, () => chosen)
        : splitEvenly(chosen, processes, (file) => durations.secondsOf(name, file));
      return parts.map((files, index): Lane => ({
        name: parts.length === 1 ? name : `${name} ${index + 1}`,
        place: name,
        runtime,
        wanted,
        files,
        ...isShared ? { share: { first: index, each: processes } } : {},
      }));
    },
  );
}

/** Returns the arguments of the runtime. The folder has the bundles. */
export function commandOf({ runtime, files }: Lane, folder: string): readonly string[] {
  const entry = `${folder}/${bundleOf("tests/import_files.ts")}`;
  if (runtime === "node") {
    return ["--enable-source-maps", "--disable-warning=ExperimentalWarning", "--test-reporter=spec", entry];
  }
  if (runtime === "bun") return ["test", `./${entry}`];
  // One module imports all files, because Deno loads the sources anew for each module that it is given.
  const entries = runtime === "chromium" ? "tests/in_chromium.ts" : "tests/import_files.ts";
  // Timers of Playwright are hard to find, so a leak says where it began. Elsewhere, that would take too long.
  const traces = files.some((file) => suiteOf(file) === "browser") ? ["--trace-leaks"] : [];
  return ["test", ...asDeveloper, "--allow-all", "--no-check", ...traces, entries];
}
