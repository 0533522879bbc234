/** Runs the tests of a lane in one process, and reads what it prints. */
import { existsSync } from "node:fs";
import { readLines } from "../run_program.ts";
import { deno, obtainRuntime, variablesOf } from "../runtimes.ts";
import {
  type Counts,
  endedTest,
  isLate,
  isNoise,
  oneFailed,
  readCounts,
  reasonToSkip,
  sum,
} from "./counts.ts";
import { findUnended, readEvents, sumByFile } from "./events.ts";
import { commandOf, type Lane } from "./lanes.ts";
import type { Progress } from "./progress.ts";

export interface LaneResult {
  readonly lane: Lane;
  readonly counts: Counts;
  /** The files with a test that failed. Empty if something else failed, such as loading a file. */
  readonly failedFiles: readonly string[];
  /** Seconds of each file. */
  readonly durations: ReadonlyMap<string, number>;
  readonly version: string;
  readonly seconds: number;
}

export interface LaneOptions {
  /** Has the bundles, and gets the events. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  readonly progress: Progress;
}

export const eventsOf = (folder: string, { name }: Lane): string =>
  `${folder}/${name.replaceAll(" ", "_")}.events`;

/**
 * A process of Deno that begins no test for so long hangs in a native library that its files import: seen once in some
 * hundred runs, with all its threads asleep. It starts again, once.
 */
const longestLoad = 5 * 60_000;

/** Returns whether the process succeeded, or undefined if it hung. */
async function runCommand(
  command: Deno.Command,
  read: (line: string) => void,
  hangs: () => boolean,
): Promise<boolean | undefined> {
  const child = command.spawn();
  let hung = false;
  const waiting = setTimeout(() => {
    hung = hangs();
    if (hung) child.kill("SIGKILL");
  }, longestLoad);
  await Promise.all([child.stdout, child.stderr].map(async (stream) => {
    for await (const line of readLines(stream)) read(line);
  }));
  const { success } = await child.status;
  clearTimeout(waiting);
  return hung ? undefined : success;
}

/** A failure outside the tests counts as one failed test. */
export async function runLane(lane: Lane, { folder, variables, progress }: LaneOptions): Promise<LaneResult> {
  const started = performance.now();
  const { name, files, wanted, share } = lane;
  const events = eventsOf(folder, lane);
  try {
    const runtime = wanted === undefined ? deno : await obtainRuntime(wanted);
    const command = new Deno.Command(runtime.path, {
      args: [...commandOf(lane, folder)],
      env: {
        NO_COLOR: "1",
        ...variablesOf(runtime),
        ...variables,
        POSTERN_TEST_FILES: JSON.stringify(files),
        POSTERN_TEST_EVENTS: events,
        POSTERN_TEST_PLACE: lane.place,
        POSTERN_TEST_BUNDLES: folder,
        ...share === undefined ? {} : { POSTERN_TEST_SHARE: `${share.first}/${share.each}` },
      },
      stdin: "null",
      stdout: "piped",
      stderr: "piped",
    });
    const lines: string[] = [];
    const failedNames = new Set<string>();
    const read = (line: string) => {
      lines.push(line);
      const ended = endedTest(line);
      // Bun names a test that failed twice
      if (ended !== undefined && !failedNames.has(ended.name)) progress.count(ended.outcome !== "failed");
      if (ended?.outcome === "failed") failedNames.add(ended.name);
      if (!isNoise(line)) progress.print(`${name} | ${line}`);
    };
    let success = await runCommand(command, read, () => lane.runtime === "deno" && !existsSync(events));
    if (success === undefined) {
      progress.print(
        `${name}: no test began in ${longestLoad / 60_000} minutes, so the process starts again`,
      );
      success = await runCommand(command, read, () => false) === true;
    }
    for (const [reason, tests] of Map.groupBy(new Set(lines), reasonToSkip)) {
      if (reason !== undefined) progress.print(`${name}: ${tests.length} × skipped: ${reason}`);
    }
    const seen = readEvents(events);
    const late = lines.filter(isLate).map(() => oneFailed);
    const counts = sum([readCounts(lines) ?? oneFailed, ...late]);
    const failedFiles = new Set([
      ...seen.filter(({ name }) => failedNames.has(name)).map(({ file }) => file),
      ...success ? [] : findUnended(seen),
    ]);
    return {
      lane,
      // if no test failed but the process did, something else failed, such as loading a file
      counts: success || counts.failed > 0 ? counts : { ...counts, failed: 1 },
      failedFiles: [...failedFiles],
      durations: sumByFile(seen),
      version: `${runtime.name} ${runtime.version}`,
      seconds: (performance.now() - started) / 1000,
    };
  } catch (error) {
    progress.print(`${name}: ${error instanceof Error ? error.message : error}`);
    return { lane, counts: oneFailed, failedFiles: [], durations: new Map(), version: "", seconds: 0 };
  }
}
