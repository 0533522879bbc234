/** Reads the file in which a process of tests says when each test began and ended. `tests/runner.ts` writes it. */
import { existsSync, readFileSync } from "node:fs";

/** With `milliseconds`, the test has ended. */
export interface TestEvent {
  readonly file: string;
  readonly name: string;
  readonly milliseconds?: number;
}

export function readEvents(path: string): readonly TestEvent[] {
  if (!existsSync(path)) return [];
  // the last line may not be whole yet
  return readFileSync(path, "utf8").split("\n").slice(0, -1).map((line) => JSON.parse(line));
}

/** Returns how many seconds each file took. */
export function sumByFile(events: readonly TestEvent[]): ReadonlyMap<string, number> {
  const seconds = new Map<string, number>();
  for (const { file, milliseconds } of events) {
    if (milliseconds !== undefined) seconds.set(file, (seconds.get(file) ?? 0) + milliseconds / 1000);
  }
  return seconds;
}

/** Returns the files of tests that have begun and not ended. */
export function findUnended(events: readonly TestEvent[]): readonly string[] {
  const running = new Set<string>();
  for (const { file, name, milliseconds } of events) {
    if (milliseconds === undefined) running.add(`${file}\n${name}`);
    else running.delete(`${file}\n${name}`);
  }
  return [...running].map((key) => key.split("\n")[0]!);
}
