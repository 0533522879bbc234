/** The figures of a server after its slices, and what they are in comparison with those of the others. */
import type { Slice } from "./load.ts";
import { median, percentile } from "./statistics.ts";

/** What one server did. */
export interface Course {
  readonly label: string;
  /** It answers without doing the work of a server. */
  readonly isLimit: boolean;
  /** The first flows of the process. */
  readonly cold: Slice | undefined;
  readonly slices: readonly Slice[];
  /** How many flows it has had, with those of the warm-up. */
  readonly flows: number;
  readonly trouble: string | undefined;
  /** In bytes, after the last slice. */
  readonly memory: number | undefined;
  readonly peakMemory: number | undefined;
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
  /** Compared with the better limit. */
  readonly ofLimit?: number | undefined;
  readonly ofLimitByCpu?: number | undefined;
  /** Microseconds of CPU time for one flow above those of the better limit. */
  readonly ownWork?: number | undefined;
  /** Compared with the servers of these names. */
  readonly ratios: Readonly<Record<string, number | undefined>>;
  /** Milliseconds of a flow. */
  readonly p50?: number | undefined;
  readonly p99?: number | undefined;
  /** Microseconds of the server's CPU time for one flow. */
  readonly cpu?: number | undefined;
  /** The same for the first flows of the process. */
  readonly coldCpu?: number | undefined;
  /** Bytes after this many flows, and the most before. */
  readonly flows: number;
  readonly memory?: number | undefined;
  readonly peakMemory?: number | undefined;
  /** The used shares of a core. */
  readonly serverCpu?: number | undefined;
  readonly generatorCpu?: number | undefined;
}

/** `undefined` where the system does not report CPU time. */
type Measure = (slice: Slice) => number | undefined;

const flowsPerSecond: Measure = ({ flows, seconds }) => flows / seconds;

const cpuPerFlow: Measure = ({ flows, seconds, serverCpu }) =>
  serverCpu ? seconds * serverCpu * 1e6 / flows : undefined;

export function measureCourse(
  course: Course,
  courses: readonly Course[],
  comparedWith: readonly string[],
): Omit<CourseFigures, "runtime" | "alg"> {
  const { label, cold, slices, flows, trouble, memory, peakMemory } = course;
  const speeds = slices.flatMap((slice) => flowsPerSecond(slice) ?? []);
  const latencies = Float64Array.from(slices.flatMap(({ latencies }) => [...latencies])).sort();
  const fastest = findLimit(courses, (limit) => -medianOf(limit, flowsPerSecond));
  const leanest = findLimit(courses, (limit) => medianOf(limit, cpuPerFlow));
  const ratioTo = (other: Course | undefined) =>
    compare(course, other, flowsPerSecond, (mine, theirs) => mine / theirs);
  return {
    ...{ server: label, trouble },
    ...{ flowsPerSecond: median(speeds), lowest: Math.min(...speeds), highest: Math.max(...speeds) },
    ofLimit: ratioTo(fastest),
    ofLimitByCpu: compare(course, leanest, cpuPerFlow, (mine, theirs) => theirs / mine),
    ownWork: compare(course, leanest, cpuPerFlow, (mine, theirs) => mine - theirs),
    ratios: Object.fromEntries(
      comparedWith.map((name) => [name, ratioTo(courses.find(({ label }) => label === name))]),
    ),
    ...{ p50: percentile(latencies, 0.5), p99: percentile(latencies, 0.99) },
    cpu: median(slices.flatMap((slice) => cpuPerFlow(slice) ?? [])),
    coldCpu: cold && cpuPerFlow(cold),
    ...{ flows, memory, peakMemory },
    serverCpu: median(slices.flatMap(({ serverCpu }) => serverCpu ?? [])),
    generatorCpu: median(slices.map(({ generatorCpu }) => generatorCpu)),
  };
}

function medianOf({ slices }: Course, measure: Measure): number {
  return median(slices.flatMap((slice) => measure(slice) ?? [])) ?? NaN;
}

/** Returns the limit with the least cost. */
function findLimit(courses: readonly Course[], costOf: (limit: Course) => number): Course | undefined {
  const [best] = courses.filter(({ isLimit, trouble }) => isLimit && !trouble)
    .sort((one, other) => costOf(one) - costOf(other));
  return best;
}

/** Returns the median result over two contestants' slices of the same round. */
function compare(
  course: Course,
  other: Course | undefined,
  measure: Measure,
  calculate: (mine: number, theirs: number) => number,
): number | undefined {
  if (!other || course === other || course.trouble || other.trouble) return undefined;
  return median(course.slices.flatMap((slice, round) => {
    const mine = measure(slice);
    const theirs = other.slices[round] && measure(other.slices[round]);
    return mine && theirs ? [calculate(mine, theirs)] : [];
  }));
}
