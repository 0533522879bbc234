/** Compares servers under load in short alternating slices, so that a change in the machine's speed affects all of them. */
import { keepSelfOn } from "./cores.ts";
import { type Flow, loadFor, type Slice } from "./load.ts";
import type { Runtime } from "../runtimes.ts";
import type { Bench, Report } from "./scenario.ts";
import { joinProcesses, type Launch, type ServerProcess } from "./server_process.ts";
import { median, percentile, spread } from "./statistics.ts";
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
  /** Labels of rows, each of which adds a column: the ratio of every row to that one. */
  readonly comparedWith: readonly string[];
  readonly notes: readonly string[];
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

export async function compareUnderLoad(comparison: LoadComparison, bench: Bench): Promise<Report> {
  const tables: Table[] = [];
  const figures: unknown[] = [];
  const notes: string[] = [];
  if (bench.cores) await keepSelfOn(bench.cores.generator);
  try {
    for (const runtime of bench.runtimes) {
      const rows: (readonly string[])[] = [];
      const labels = comparison.contestants(bench, runtime).map(({ label }) => label);
      const comparedWith = comparison.comparedWith.filter((label) => labels.includes(label));
      const hasLimit = labels.includes(limitLabel);
      for (const alg of bench.algs) {
        bench.progress(`${comparison.title}: ${runtime.name} ${alg}`);
        const courses = await runCourses(comparison, bench, runtime, alg);
        for (const course of courses) {
          rows.push(formatCourse(alg, course, courses, comparedWith, hasLimit));
          figures.push(describeCourse(runtime, alg, course, courses, comparedWith));
        }
        notes.push(noteNoise(runtime, alg, courses));
      }
      tables.push({
        caption: `${comparison.title}, ${runtime.name} ${runtime.version}`,
        columns: columnNames(comparedWith, hasLimit),
        rows,
      });
    }
  } finally {
    if (bench.cores) await keepSelfOn(bench.cores.all);
  }
  return { title: comparison.title, tables, notes: [...comparison.notes, "Noise:", ...notes], figures };
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
          course.memory = Math.max(course.memory ?? 0, await course.server.peakMemory() ?? 0) || undefined;
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

function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}

function flowsPerSecond({ flows, seconds }: Slice): number {
  return flows / seconds;
}

/** `undefined` where the system does not report CPU time. */
function flowsPerCpuSecond({ flows, seconds, serverCpu }: Slice): number | undefined {
  return serverCpu ? flows / (seconds * serverCpu) : undefined;
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

function latency({ slices }: Course, share: number): number | undefined {
  const all = slices.flatMap(({ latencies }) => [...latencies]);
  return percentile(Float64Array.from(all).sort(), share);
}

function medianOf(course: Course, measure: (slice: Slice) => number | undefined): number | undefined {
  return median(course.slices.flatMap((slice) => measure(slice) ?? []));
}

function total({ slices }: Course, measure: (slice: Slice) => number): number {
  return slices.reduce((sum, slice) => sum + measure(slice), 0);
}

function columnNames(comparedWith: readonly string[], hasLimit: boolean): readonly string[] {
  return [
    "alg, server",
    "flows/s",
    "lowest–highest",
    ...hasLimit ? ["of limit", "by CPU"] : [],
    ...comparedWith.map((label) => `× ${label}`),
    "p50 ms",
    "p99 ms",
    "CPU µs/flow",
    "JWTs/flow",
    "peak MB",
    "server CPU",
    "load CPU",
  ];
}

function formatCourse(
  alg: string,
  course: Course,
  courses: readonly Course[],
  comparedWith: readonly string[],
  hasLimit: boolean,
): readonly string[] {
  const name = `${alg} ${course.label}`;
  if (course.trouble) return [name, course.trouble];
  const speeds = course.slices.map(flowsPerSecond);
  const perCpu = medianOf(course, flowsPerCpuSecond);
  const limit = find(courses, limitLabel);
  return [
    name,
    whole(median(speeds)),
    `${whole(Math.min(...speeds))}–${whole(Math.max(...speeds))}`,
    ...hasLimit
      ? [fixed(ratio(course, limit, flowsPerSecond), 2), fixed(ratio(course, limit, flowsPerCpuSecond), 2)]
      : [],
    ...comparedWith.map((label) => fixed(ratio(course, find(courses, label), flowsPerSecond), 2)),
    fixed(latency(course, 0.5), 2),
    fixed(latency(course, 0.99), 2),
    whole(perCpu && 1e6 / perCpu),
    fixed(total(course, ({ jwts }) => jwts) / total(course, ({ flows }) => flows), 0),
    whole(course.memory && course.memory / 1e6),
    percent(medianOf(course, ({ serverCpu }) => serverCpu)),
    percent(medianOf(course, generatorShare)),
  ];
}

function find(courses: readonly Course[], label: string): Course | undefined {
  return courses.find((course) => course.label === label);
}

function describeCourse(
  runtime: Runtime,
  alg: string,
  course: Course,
  courses: readonly Course[],
  comparedWith: readonly string[],
): unknown {
  const limit = find(courses, limitLabel);
  return {
    runtime: runtime.name,
    alg,
    server: course.label,
    trouble: course.trouble,
    flowsPerSecond: medianOf(course, flowsPerSecond),
    ofLimit: ratio(course, limit, flowsPerSecond),
    ofLimitByCpu: ratio(course, limit, flowsPerCpuSecond),
    ratios: Object.fromEntries(
      comparedWith.map((label) => [label, ratio(course, find(courses, label), flowsPerSecond)]),
    ),
    p50: latency(course, 0.5),
    p99: latency(course, 0.99),
    peakMemory: course.memory,
    slices: course.slices.map(({ latencies: _, ...slice }) => slice),
  };
}

function noteNoise({ name }: Runtime, alg: string, courses: readonly Course[]): string {
  const limited = courses.filter((course) => (medianOf(course, generatorShare) ?? 0) > busyGenerator);
  const [first] = courses;
  const remarks: string[] = [];
  if (first) {
    remarks.push(`slices of ${first.label} lie ${percent(spread(first.slices.map(flowsPerSecond)))} apart`);
  }
  const serverShare = first && medianOf(first, ({ serverCpu }) => serverCpu);
  if (limited.length > 0) {
    remarks.push(
      `the load generator may have limited ${limited.map(({ label }) => label).join(", ")}`,
    );
  } else if (serverShare !== undefined && serverShare < idleServer) {
    remarks.push(`it got only ${percent(serverShare)} of a core: other programs slowed the server`);
  }
  return `${name} ${alg}: ${remarks.join("; ")}`;
}

function generatorShare({ generatorCpu }: Slice): number {
  return generatorCpu;
}
