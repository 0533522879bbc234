/** Compares servers under load in short alternating slices, so that a change in the machine's speed affects all of them. */
import { withGenerator } from "./cores.ts";
import { type Course, type CourseFigures, measureCourse } from "./course_figures.ts";
import { describeNoise, tabulate } from "./course_table.ts";
import { type Flow, loadFor, type Slice, type Stretch } from "./load.ts";
import type { Runtime } from "../runtimes.ts";
import type { Bench, Report, Scenario } from "./scenario.ts";
import { joinProcesses, type Launch, type ServerProcess } from "./server_process.ts";
import { messageOf } from "./starts.ts";
import type { Table } from "./table.ts";

/** A server in the comparison, started once for each runtime and algorithm. */
export interface Contestant {
  readonly label: string;
  /** It answers without doing the work of a server. */
  readonly isLimit?: true;
  /** Several launches are processes that share a store. The connections are divided among them. */
  launch(bench: Bench, runtime: Runtime, alg: string): Launch | readonly Launch[];
}

export interface LoadComparison {
  readonly title: string;
  readonly flow: Flow;
  /** Returns the servers to compare. The others are compared with the better one of the limits. */
  contestants(bench: Bench, runtime: Runtime): readonly Contestant[];
  /** Labels of rows, each of which adds a column: the ratio of every row to that one. Those without a row do not count. */
  readonly comparedWith?: readonly string[];
  readonly notes: readonly string[];
}

/** A course on its way. */
interface Run extends Course {
  cold: Slice | undefined;
  readonly slices: Slice[];
  flows: number;
  server: ServerProcess | undefined;
  trouble: string | undefined;
  memory: number | undefined;
  peakMemory: number | undefined;
}

const coldFlows = 2000;

const usuallyComparedWith = ["oauth2-mock-server", "oidc-provider"];

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
  await withGenerator(bench.cores, async () => {
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
      tables.push(tabulate(`${title}, ${runtime.name} ${runtime.version}`, own, others));
    }
  });
  return { title, tables, notes: [...comparison.notes, "Noise:", ...notes], figures: all };
}

async function runCourses(
  { flow, contestants }: LoadComparison,
  bench: Bench,
  runtime: Runtime,
  alg: string,
): Promise<readonly Run[]> {
  const { slices, connections } = bench;
  const courses: Run[] = [];
  try {
    for (const { label, isLimit = false, launch } of contestants(bench, runtime)) {
      const course: Run = {
        ...{ label, isLimit, cold: undefined, slices: [], flows: 0 },
        ...{ server: undefined, trouble: undefined, memory: undefined, peakMemory: undefined },
      };
      courses.push(course);
      try {
        course.server = await startProcesses(bench, [launch(bench, runtime, alg)].flat());
      } catch (problem) {
        course.trouble = `not started: ${messageOf(problem)}`;
      }
    }
    for (let round = -1; round <= slices.count; round++) {
      // odd rounds run in reverse order, so a machine that becomes slower favours no server
      for (const course of round % 2 ? courses.toReversed() : courses) {
        if (!course.server || course.trouble) continue;
        try {
          const slice = await loadFor(stretchOf(round, bench), course.server, flow, connections);
          course.flows += slice.flows;
          if (round === -1) course.cold = slice;
          if (round > 0) course.slices.push(slice);
          course.memory = course.server.currentMemory();
          course.peakMemory = course.server.peakMemory();
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

/** The first flows of a process are what a test run sees. The rest of the warm-up counts for nothing. */
function stretchOf(round: number, { slices }: Bench): Stretch {
  if (round > 0) return slices;
  return round === -1 ? { ...slices.warmUp, flows: coldFlows } : slices.warmUp;
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
