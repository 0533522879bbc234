/** Lists of races that several tests play, each over another store. */
import type { ExploreTerms, Race } from "./explorer.ts";

export interface NamedRace extends Race, ExploreTerms {
  readonly name: string;
  /** The test fails when the explorer plays fewer schedules than this. */
  readonly atLeast: number;
  /** A second test skips no schedule and plays at least this many. */
  readonly everyOrder?: number;
}

export interface RaceList {
  readonly races: readonly NamedRace[];
  add(name: string, race: Omit<NamedRace, "name">): void;
}

export function createRaceList(): RaceList {
  const races: NamedRace[] = [];
  return { races, add: (name, race) => void races.push({ name, ...race }) };
}
