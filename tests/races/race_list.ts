/** Lists of races that several tests play, each over another store. */
import type { Race } from "./explorer.ts";

export interface RaceOptions extends Race {
  /** The test fails when the explorer plays fewer schedules than this. Default: 2, because the contestants conflict. */
  readonly atLeast?: number;
}

export interface NamedRace extends RaceOptions {
  readonly name: string;
  readonly atLeast: number;
}

export interface RaceList {
  readonly races: readonly NamedRace[];
  add(name: string, race: RaceOptions): void;
}

export function createRaceList(): RaceList {
  const races: NamedRace[] = [];
  return { races, add: (name, race) => void races.push({ name, atLeast: 2, ...race }) };
}
