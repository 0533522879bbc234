/** Compares how long programs take from the start of their process to a first result. */
import type { Runtime } from "../runtimes.ts";
import type { Bench } from "./scenario.ts";
import { median } from "./statistics.ts";
import { fixed, type Table, whole } from "./table.ts";

export interface Candidate {
  readonly label: string;
  /** Starts the program once, and resolves to the milliseconds until its result. */
  start(bench: Bench, runtime: Runtime): Promise<number>;
}

export interface StartComparison {
  /** What has happened after the time. */
  readonly result: string;
  /** What a candidate is. */
  readonly kind: "server" | "kit";
  /** The first one is what the others are compared with. */
  candidates(runtime: Runtime): readonly Candidate[];
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
    const races = candidates(runtime).map((candidate) => ({ candidate, times: [] as number[], trouble: "" }));
    // the first start fills caches of the runtime and the system, and is not counted
    for (let start = 0; start <= bench.starts; start++) {
      for (const race of races.filter(({ trouble }) => trouble === "")) {
        try {
          const time = await race.candidate.start(bench, runtime);
          if (start > 0) race.times.push(time);
        } catch (problem) {
          race.trouble = `not started: ${messageOf(problem)}`;
        }
      }
    }
    const [bare] = races.map(({ candidate, times }) => ({ label: candidate.label, time: median(times) }));
    bareLabel = bare?.label ?? "";
    for (const { candidate: { label }, times, trouble } of races) {
      const time = median(times);
      const ratio = time && bare?.time && label !== bareLabel ? time / bare.time : undefined;
      figures.push({ runtime: runtime.name, [kind]: label, trouble, median: time, all: times });
      const name = `${runtime.name} ${label}`;
      const range = `${whole(Math.min(...times))}–${whole(Math.max(...times))}`;
      rows.push(trouble === "" ? [name, whole(time), range, fixed(ratio, 2)] : [name, trouble]);
    }
  }
  const caption = `${result} after process start, median of ${bench.starts}`;
  return { table: { caption, columns: [kind, "ms", "lowest–highest", `× ${bareLabel}`], rows }, figures };
}

export function messageOf(problem: unknown): string {
  return problem instanceof Error ? problem.message : String(problem);
}
