/** Compares servers under load in short alternating slices, so that a change in the machine's speed affects all of them. */
import { keepSelfOn } from "./cores.ts";
import { type Flow, loadFor, type Slice } from "./load.ts";
import type { Runtime } from "../runtimes.ts";
import type { Bench, Report, Scenario } from "./scenario.ts";
import { joinProcesses, type Launch, type ServerProcess } from "./server_process.ts";
import { messageOf } from "./starts.ts";
import { median, percentile } from "./statistics.ts";
import { fixed, percent, type Table, whole } from "./table.ts";

/** A server in the comparison, started once for each runtime and algorithm. */
export interface Contestant {
  readonly label: string;
  /** Several launches are processes that share a store. The connections are divided among them. */
  launch(bench: Bench, runtime: Runtime, alg: string): Launch | readonly Launch[];
}

export interface LoadComparison {
  readonly title: string;
  readonly flow: Flow;
  /** Returns the servers to compare. The limit, if there is one, comes first. */
  contestants(bench: Bench, runtime: Runtime): readonly Contestant[];
  /** Labels of rows, each of which adds a column: the ratio of every row to that one. Those without a row do not count. */
  readonly comparedWith?: readonly string[];
  readonly notes: readonly string[];
}

/** The figures of one server: a row of the table, and what `--json` writes. */
export interface CourseFigures {
  readonly runtime: string;
  readonly alg: string;
  readonly server: string;
  /** Why there are no figures. */
  readonly trouble?: string | undefined;
  readonly flowsPerSecond?: number | undefined;
  /** Flows a second in the slowest and in the fastest slice. */
  readonly lowest: number;
  readonly highest: number;
  readonly ofLimit?: number | undefined;
  readonly ofLimitByCpu?: number | undefined;
  /** Compared with the servers of these names. */
  readonly ratios: Readonly<Record<string, number | undefined>>;
  /** Milliseconds of a flow. */
  readonly p50?: number | undefined;
  readonly p99?: number | undefined;
  /** Microseconds of the server's CPU time for one flow. */
  readonly cpu?: number | undefined;
  readonly peakMemory?: number | undefined;
  /** The used shares of a core. */
  readonly serverCpu?: number | undefined;
  readonly generatorCpu?: number | undefined;
}

interface Course {
  readonly label: string;
  readonly slices: Slice[];
  server: ServerProcess | undefined;
  trouble: string | undefined;
  memory: number | undefined;
}

/** The contestant that only receives, signs and answers. */
export const limitLabel = "limit";

// above this share of a core, the load generator may have limited the speed
const busyGenerator = 0.9;
// below this share of a core, another program has slowed the server, because the load never paused
const idleServer = 0.85;

const usuallyComparedWith = ["postern memory", "oauth2-mock-server", "oidc-provider"];

/** A scenario that runs with the first algorithm only: the code flow compares the algorithms. */
export function createScenario(name: string, describes: string, comparison: LoadComparison): Scenario {
  return {
    name,
    describes,
    run: (bench) => compareUnderLoad(comparison, { ...bench, algs: bench.algs.slice(0, 1) }),
  };
}

export async function compareUnderLoad(comparison: LoadComparison, bench: Bench): Promise<Report> {
  const { title, contestants, comparedWith = usuallyComparedWith } = comparison;
  const tables: Table[] = [];
  const all: CourseFigures[] = [];
  const notes: string[] = [];
  if (bench.cores) await keepSelfOn(bench.cores.generator);
  try {
    for (const runtime of bench.runtimes) {
      const labels = contestants(bench, runtime).map(({ label }) => label);
      const others = comparedWith.filter((label) => labels.includes(label));
      const own: CourseFigures[] = [];
      for (const alg of bench.algs) {
        bench.progress(`${title}: ${runtime.name} ${alg}`);
        const courses = await runCourses(comparison, bench, runtime, alg);
        const figures = courses.map((course) => ({
          ...{ runtime: runtime.name, alg },
          ...measureCourse(course, courses, others),
        }));
        own.push(...figures);
        notes.push(`${runtime.name} ${alg}: ${describeNoise(figures)}`);
      }
      all.push(...own);
      const columns = listColumns(others, labels.includes(limitLabel));
      tables.push({
        caption: `${title}, ${runtime.name} ${runtime.version}`,
        columns: ["alg, server", ...columns.map(([name]) => name)],
        rows: own.map((each) => formatFigures(each, columns)),
      });
    }
  } finally {
    if (bench.cores) await keepSelfOn(bench.cores.all);
  }
  return { title, tables, notes: [...comparison.notes, "Noise:", ...notes], figures: all };
}

async function runCourses(
  { flow, contestants }: LoadComparison,
  bench: Bench,
  runtime: Runtime,
  alg: string,
): Promise<readonly Course[]> {
  const { slices, connections } = bench;
  const courses: Course[] = [];
  try {
    for (const { label, launch } of contestants(bench, runtime)) {
      const course: Course = { label, slices: [], server: undefined, trouble: undefined, memory: undefined };
      courses.push(course);
      try {
        course.server = await startProcesses(bench, [launch(bench, runtime, alg)].flat());
      } catch (problem) {
        course.trouble = `not started: ${messageOf(problem)}`;
      }
    }
    for (let round = 0; round <= slices.count; round++) {
      // odd rounds run in reverse order, so a machine that becomes slower favours no server
      for (const course of round % 2 ? courses.toReversed() : courses) {
        if (!course.server || course.trouble) continue;
        try {
          const seconds = round === 0 ? slices.warmUp : slices.seconds;
          const slice = await loadFor(seconds, course.server, flow, connections);
          if (round > 0) course.slices.push(slice);
          course.memory = Math.max(course.memory ?? 0, course.server.peakMemory() ?? 0) || undefined;
        } catch (problem) {
          course.trouble = `stopped: ${await course.server.explainEnd() ?? messageOf(problem)}`;
        }
      }
    }
  } finally {
    await Promise.all(courses.map((course) => course.server?.stop()));
  }
  return courses;
}

async function startProcesses(
  { startServer, cores }: Bench,
  launches: readonly Launch[],
): Promise<ServerProcess> {
  const processes: ServerProcess[] = [];
  try {
    // One after another, so that the first one creates the table and the keys.
    for (const launch of launches) processes.push(await startServer(launch, cores?.server));
    return joinProcesses(processes);
  } catch (problem) {
    await Promise.all(processes.map((process) => process.stop()));
    throw problem;
  }
}

function flowsPerSecond({ flows, seconds }: Slice): number {
  return flows / seconds;
}

/** `undefined` where the system does not report CPU time. */
function flowsPerCpuSecond({ flows, seconds, serverCpu }: Slice): number | undefined {
  return serverCpu ? flows / (seconds * serverCpu) : undefined;
}

function measureCourse(
  course: Course,
  courses: readonly Course[],
  comparedWith: readonly string[],
): Omit<CourseFigures, "runtime" | "alg"> {
  const { label, slices, trouble, memory } = course;
  const find = (name: string) => courses.find((each) => each.label === name);
  const medianOf = (measure: (slice: Slice) => number | undefined) =>
    median(slices.flatMap((slice) => measure(slice) ?? []));
  const speeds = slices.map(flowsPerSecond);
  const latencies = Float64Array.from(slices.flatMap(({ latencies }) => [...latencies])).sort();
  const perCpu = medianOf(flowsPerCpuSecond);
  return {
    ...{ server: label, trouble },
    ...{ flowsPerSecond: median(speeds), lowest: Math.min(...speeds), highest: Math.max(...speeds) },
    ofLimit: ratio(course, find(limitLabel), flowsPerSecond),
    ofLimitByCpu: ratio(course, find(limitLabel), flowsPerCpuSecond),
    ratios: Object.fromEntries(comparedWith.map((name) => [name, ratio(course, find(name), flowsPerSecond)])),
    ...{ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
    cpu: perCpu && 1e6 / perCpu,
    peakMemory: memory,
    serverCpu: medianOf(({ serverCpu }) => serverCpu),
    generatorCpu: medianOf(({ generatorCpu }) => generatorCpu),
  };
}

/** Returns the median ratio of two contestants' slices of the same round. */
function ratio(
  course: Course,
  other: Course | undefined,
  measure: (slice: Slice) => number | undefined,
): number | undefined {
  if (!other || course === other || course.trouble || other.trouble) return undefined;
  const ratios = course.slices.flatMap((slice, round) => {
    const mine = measure(slice);
    const theirs = other.slices[round] && measure(other.slices[round]);
    return mine && theirs ? [mine / theirs] : [];
  });
  return median(ratios);
}

type Column = readonly [title: string, write: (figures: CourseFigures) => string];

function listColumns(comparedWith: readonly string[], hasLimit: boolean): readonly Column[] {
  const ofLimit: readonly Column[] = [
    ["of limit", ({ ofLimit }) => fixed(ofLimit, 2)],
    ["by CPU", ({ ofLimitByCpu }) => fixed(ofLimitByCpu, 2)],
  ];
  return [
    ["flows/s", ({ flowsPerSecond }) => whole(flowsPerSecond)],
    ["lowest–highest", ({ lowest, highest }) => `${whole(lowest)}–${whole(highest)}`],
    ...hasLimit ? ofLimit : [],
    ...comparedWith.map((label): Column => [`× ${label}`, ({ ratios }) => fixed(ratios[label], 2)]),
    ["p50 ms", ({ p50 }) => fixed(p50, 2)],
    ["p99 ms", ({ p99 }) => fixed(p99, 2)],
    ["CPU µs/flow", ({ cpu }) => whole(cpu)],
    ["peak MB", ({ peakMemory }) => whole(peakMemory && peakMemory / 1e6)],
    ["server CPU", ({ serverCpu }) => percent(serverCpu)],
    ["load CPU", ({ generatorCpu }) => percent(generatorCpu)],
  ];
}

function formatFigures(figures: CourseFigures, columns: readonly Column[]): readonly string[] {
  const { alg, server, trouble } = figures;
  return [`${alg} ${server}`, ...trouble ? [trouble] : columns.map(([, write]) => write(figures))];
}

function describeNoise(figures: readonly CourseFigures[]): string {
  const limited = figures.filter(({ generatorCpu = 0 }) => generatorCpu > busyGenerator);
  const { server, lowest = NaN, highest = NaN, flowsPerSecond, serverCpu } = figures[0] ?? {};
  const spread = `slices of ${server} lie ${percent((highest - lowest) / (flowsPerSecond ?? NaN))} apart`;
  if (limited.length > 0) {
    return `${spread}; the load generator may have limited ${limited.map(({ server }) => server).join(", ")}`;
  }
  return serverCpu !== undefined && serverCpu < idleServer
    ? `${spread}; it got only ${percent(serverCpu)} of a core: other programs slowed the server`
    : spread;
}
