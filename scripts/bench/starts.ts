/** Compares how long programs take from the start of their process to a first result. */
import type { Runtime } from "../runtimes.ts";
import type { Bench } from "./scenario.ts";
import { median } from "./statistics.ts";
import { fixed, type Table, whole } from "./table.ts";

export interface Candidate {
  readonly label: string;
  /** Starts the program once, and resolves to what it took until its result. */
  start(bench: Bench, runtime: Runtime): Promise<Effort>;
}

/** Milliseconds. */
export interface Effort {
  readonly time: number;
  /** Processor time of the process; `undefined` where the system does not report it. */
  readonly cpu: number | undefined;
}

export interface StartComparison {
  /** What has happened after the time. */
  readonly result: string;
  /** What a candidate is. */
  readonly kind: "server" | "kit" | "program";
  /** The first one is what the others are compared with. */
  candidates(runtime: Runtime): readonly Candidate[];
}

interface Race {
  readonly label: string;
  readonly candidate: Candidate;
  readonly efforts: Effort[];
  trouble: string;
}

export async function compareStarts(
  { result, kind, candidates }: StartComparison,
  bench: Bench,
): Promise<{ readonly table: Table; readonly figures: readonly unknown[] }> {
  const rows: (readonly string[])[] = [];
  const figures: unknown[] = [];
  let bareLabel = "";
  for (const runtime of bench.runtimes) {
    bench.progress(`${result}: ${runtime.name}`);
    const isTwice = bench.runtimes.some((other) => other !== runtime && other.name === runtime.name);
    const name = isTwice ? `${runtime.name} ${parseInt(runtime.version)}` : runtime.name;
    const races = await runRaces(candidates(runtime), bench, runtime);
    const [bare] = races.map(({ label, efforts }) => ({ label, ...medianOf(efforts) }));
    bareLabel = bare?.label ?? "";
    for (const { label, efforts, trouble } of races) {
      const times = efforts.map(({ time }) => time);
      const { time, cpu } = medianOf(efforts);
      const compare = (mine = NaN, theirs = NaN) => fixed(label === bareLabel ? undefined : mine / theirs, 2);
      figures.push({ runtime: runtime.name, [kind]: label, trouble, median: time, cpu, all: times });
      const range = `${whole(Math.min(...times))}–${whole(Math.max(...times))}`;
      const cells = [whole(time), range, compare(time, bare?.time), whole(cpu), compare(cpu, bare?.cpu)];
      rows.push([`${name} ${label}`, ...trouble === "" ? cells : [trouble]]);
    }
  }
  const caption = `${result} after process start, median of ${bench.starts}`;
  const columns = [kind, "ms", "lowest–highest", `× ${bareLabel}`, "CPU ms", `× ${bareLabel}`];
  return { table: { caption, columns, rows }, figures };
}

async function runRaces(
  candidates: readonly Candidate[],
  bench: Bench,
  runtime: Runtime,
): Promise<readonly Race[]> {
  const races: readonly Race[] = candidates.map((candidate) => ({
    ...{ label: candidate.label, candidate, efforts: [], trouble: "" },
  }));
  // the first start fills caches of the runtime and the system, and is not counted
  for (let start = 0; start <= bench.starts; start++) {
    for (const race of races.filter(({ trouble }) => trouble === "")) {
      try {
        const effort = await race.candidate.start(bench, runtime);
        if (start > 0) race.efforts.push(effort);
      } catch (problem) {
        race.trouble = `not started: ${messageOf(problem)}`;
      }
    }
  }
  return races;
}

export function medianOf(efforts: readonly Effort[]): Partial<Effort> {
  const time = median(efforts.map(({ time }) => time));
  const cpu = median(efforts.flatMap(({ cpu }) => cpu ?? []));
  return { ...(time === undefined ? {} : { time }), cpu };
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
