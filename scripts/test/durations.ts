/** How long each test file took when it last ran here. The file is below `dist/`, outside of git. */
import { existsSync, statSync } from "node:fs";
import { suiteOf } from "./suites.ts";

const path = "dist/durations.json";

/** Seconds by place, such as `node 20`, and file. */
type Seconds = Readonly<Record<string, Readonly<Record<string, number>>>>;

export interface Durations {
  /** Without a measurement, a guess from the length of the file. */
  secondsOf(place: string, file: string): number;
  /** Whether all of the files have been measured. */
  has(place: string, files: readonly string[]): boolean;
  save(place: string, measured: ReadonlyMap<string, number>): void;
}

/** What a kilobyte of a test file takes on average. */
const secondsOfKilobyte: Readonly<Record<string, number>> = { test: 0.07, browser: 3 };

// The other suites start programs all the time.
const usualSecondsOfKilobyte = 6;

/** For a file that was never measured here. */
function guessSeconds(file: string): number {
  return statSync(file).size / 1000 * (secondsOfKilobyte[suiteOf(file)] ?? usualSecondsOfKilobyte);
}

export function readDurations(): Durations {
  let known: Seconds = existsSync(path) ? JSON.parse(Deno.readTextFileSync(path)) : {};
  return {
    secondsOf: (place, file) => known[place]?.[file] ?? guessSeconds(file),
    has: (place, files) => files.every((file) => known[place]?.[file] !== undefined),
    save(place, measured) {
      known = { ...known, [place]: { ...known[place], ...Object.fromEntries(measured) } };
      Deno.writeTextFileSync(path, JSON.stringify(known, undefined, 1));
    },
  };
}

/** Splits files into lists that take about as long as each other. Each list begins with its slowest file. */
export function splitEvenly(
  files: readonly string[],
  count: number,
  secondsOf: (file: string) => number,
): readonly (readonly string[])[] {
  const parts = Array.from({ length: count }, () => ({ files: [] as string[], seconds: 0 }));
  const slowestFirst = files.map((file) => ({ file, seconds: secondsOf(file) }))
    .sort((one, other) => other.seconds - one.seconds || (one.file < other.file ? -1 : 1));
  for (const { file, seconds } of slowestFirst) {
    const least = parts.reduce((one, other) => other.seconds < one.seconds ? other : one);
    least.files.push(file);
    least.seconds += seconds;
  }
  return parts.filter(({ files }) => files.length > 0).map(({ files }) => files);
}
