/** Chooses mutants by a seed: the same seed chooses the same of the same sources. */
import { sha256 } from "../../src/ground/crypto/platform.ts";
import type { Compiler } from "./check_types.ts";
import type { Source } from "./make_mutants.ts";
import type { Mutant, Range } from "./mutant.ts";

/** A stretch of a file. Mutants are drawn by stretches, so that a long file has more of them than a short one. */
interface Stretch extends Source {
  readonly places: readonly Range[];
}

interface Maker {
  readonly make: (sources: readonly Source[]) => Promise<readonly Mutant[]>;
  readonly compiler: Compiler;
}

const linesOfStretch = 40;
const mutantsOfStretch = 2;

/** Returns mutants that compile, as many of each room as of the others: at most `most` together. */
export async function sampleMutants(
  sources: readonly Source[],
  seed: string,
  most: number,
  maker: Maker,
): Promise<readonly Mutant[]> {
  const rooms = [...Map.groupBy(sources, ({ file }) => roomOf(file)).values()];
  const each = Math.ceil(most / rooms.length);
  const chosen: Mutant[] = [];
  for (const room of rooms) {
    const stretches = shuffle(
      room.flatMap(split),
      seed,
      ({ file, places: [place] }) => `${file} ${place!.start.line}`,
    );
    chosen.push(...await drawFrom(stretches, seed, each, maker));
  }
  return chosen;
}

/** Draws a few mutants of each stretch, then a few more, until enough of them compile. */
async function drawFrom(
  stretches: readonly Stretch[],
  seed: string,
  count: number,
  { make, compiler }: Maker,
): Promise<readonly Mutant[]> {
  const found: Mutant[] = [];
  const left = new Map<Stretch, Mutant[]>();
  while (left.size < stretches.length || [...left.values()].some(({ length }) => length > 0)) {
    for (const stretch of stretches) {
      const mutants = left.get(stretch) ??
        [...shuffle(await make([stretch]), seed, describe)];
      left.set(stretch, mutants);
      found.push(...await compiler.keepCompiling(mutants.splice(0, mutantsOfStretch)));
      if (found.length >= count) return found.slice(0, count);
    }
  }
  return found;
}

function split({ file, text, places }: Source): readonly Stretch[] {
  if (places !== undefined) return places.map((place) => ({ file, text, places: [place] }));
  const count = Math.ceil(text.split("\n").length / linesOfStretch);
  return Array.from({ length: count }, (_, index) => {
    const line = index * linesOfStretch + 1;
    const places = [{ start: { line, column: 0 }, end: { line: line + linesOfStretch, column: 0 } }];
    return { file, text, places };
  });
}

/** Returns the folder by which results are summed up: a room of a building. */
export function roomOf(file: string): string {
  const [src, building, floor, ...rest] = file.split("/");
  const isRoom = rest.length > 1 && ["oauth", "features", "mock", "cli", "dashboard"].includes(floor!);
  const isLoose = rest.length === 0;
  return [src, building, ...isLoose ? [] : [floor], ...isRoom ? [rest[0]] : []].join("/");
}

/** Puts items into an order that the seed and the name of each decide. */
function shuffle<Item>(
  items: readonly Item[],
  seed: string,
  nameOf: (item: Item) => string,
): readonly Item[] {
  return items.map((item) => ({ item, key: sha256(`${seed} ${nameOf(item)}`) }))
    .sort((one, other) => one.key < other.key ? -1 : 1)
    .map(({ item }) => item);
}

const describe = ({ file, start, end, kind, after }: Mutant) =>
  [file, start.line, start.column, end.line, end.column, kind, after].join(" ");
