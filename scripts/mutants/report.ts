/** Prints what nothing notices, and sums it up by room. */
import type { Verdict } from "./judge.ts";
import type { Mutant } from "./mutant.ts";
import type { JudgedMutant } from "./results.ts";
import { roomOf } from "./sample.ts";

/** The mutants of a room, by what became of them. */
export interface RoomCounts {
  readonly dead: number;
  readonly alive: number;
  readonly unreached: number;
  readonly late: number;
  /** Mutants that change no behaviour: listed with a reason, and not counted. */
  readonly listed: number;
}

export type Summary = Readonly<Record<string, RoomCounts>>;

export function summarise(judged: readonly JudgedMutant[], isListed: (mutant: Mutant) => boolean): Summary {
  const rooms = Map.groupBy(judged, ({ mutant: { file } }) => roomOf(file));
  return Object.fromEntries(
    [...rooms].sort(([one], [other]) => one < other ? -1 : 1).map(([room, all]) => {
      const counted = all.filter(({ verdict, mutant }) => verdict === "dead" || !isListed(mutant));
      const count = (verdict: Verdict) => counted.filter((each) => each.verdict === verdict).length;
      return [room, {
        dead: count("dead"),
        alive: count("alive"),
        unreached: count("unreached"),
        late: count("late"),
        listed: all.length - counted.length,
      }];
    }),
  );
}

export function sumRooms(rooms: Summary): RoomCounts {
  const sum = { dead: 0, alive: 0, unreached: 0, late: 0, listed: 0 };
  for (const room of Object.values(rooms)) {
    for (const name of Object.keys(sum) as (keyof RoomCounts)[]) sum[name] += room[name];
  }
  return sum;
}

/** Those that live: no test runs their code, or none of these notices it. A late test tells nothing. */
export const countLiving = ({ alive, unreached }: RoomCounts): number => alive + unreached;

/** Returns the share of dead ones in percent. */
export function shareOfDead(counts: RoomCounts): number {
  const all = counts.dead + countLiving(counts);
  return all === 0 ? 100 : counts.dead / all * 100;
}

/** Writes the table by room in Markdown. */
export function tabulate(rooms: Summary): string {
  const row = (name: string, counts: RoomCounts) => {
    const { dead, alive, unreached, late, listed } = counts;
    return `| ${name} | ${
      [dead, alive, unreached, late, listed, `${shareOfDead(counts).toFixed(1)} %`].join(" | ")
    } |`;
  };
  return [
    "| room | dead | alive | unreached | late | listed | dead, share |",
    "| --- | --: | --: | --: | --: | --: | --: |",
    ...Object.entries(rooms).map(([room, counts]) => row(room, counts)),
    row("all", sumRooms(rooms)),
  ].join("\n");
}

/** Describes a mutant that lives. */
export function describeLiving({ mutant, verdict, by, passed }: JudgedMutant): string {
  const { file, start, kind, before, after } = mutant;
  const [only] = passed;
  const reached = only === undefined
    ? "no test runs it"
    : passed.length === 1
    ? `1 test runs it: ${only}`
    : `${passed.length} tests run it, such as ${passed.slice(0, 3).join("; ")}`;
  return [
    `${file}:${start.line}:${start.column + 1} ${kind}`,
    ...markLines("-", before),
    ...markLines("+", after),
    verdict === "late" ? `  took too long: ${by}` : `  ${reached}`,
  ].join("\n");
}

const mostLines = 6;

function markLines(sign: string, text: string): readonly string[] {
  const lines = text.split("\n");
  const shown = lines.length > mostLines ? [...lines.slice(0, mostLines), "…"] : lines;
  return shown.map((line) => `  ${sign} ${line}`);
}

/**
 * The fewest living ones of `all` that a share of 10 % gives at most once in a thousand runs: the sum of the binomial
 * distribution from there on.
 */
export function fewestAlarming(all: number): number {
  const share = 0.1;
  let probability = (1 - share) ** all;
  let atLeast = 1;
  for (let count = 0; count <= all; count++) {
    if (atLeast <= 0.001) return count;
    atLeast -= probability;
    probability *= (all - count) / (count + 1) * share / (1 - share);
  }
  return all + 1;
}
