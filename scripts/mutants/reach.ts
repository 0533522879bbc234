/**
 * Which functions the tests of each file run, and which run while the file is loaded. Measured once, and kept below `dist/`,
 * as the durations of the tests are.
 */
import { existsSync, readFileSync } from "node:fs";
import { sha256 } from "../../src/ground/crypto/platform.ts";
import { makeCopy } from "./copy.ts";
import { markFunctions } from "./mark_functions.ts";
import type { Mutant } from "./mutant.ts";
import { createSession } from "./session.ts";

export interface Reach {
  /** Whether the tests of the file may run the mutant. Those that have changed since they were measured may. */
  inTests(test: string, mutant: Mutant): boolean;
  /** Whether the mutant may run while the file is loaded, except in modules that other files load, too. */
  atLoad(test: string, mutant: Mutant): boolean;
  /** Whether the mutant may run while some file is loaded. */
  atSomeLoad(mutant: Mutant): boolean;
}

interface KeptReach {
  /** The functions by name. */
  readonly functions: readonly string[];
  readonly tests: Readonly<Record<string, KeptTest>>;
  /** What runs while some file is loaded. A process loads each module once, so no other file is seen to run this. */
  readonly atLoad: string;
}

interface KeptTest {
  /** Of the file. */
  readonly hash: string;
  /** One bit for each function, in base64url. */
  readonly reached: string;
  readonly atLoad: string;
}

const path = "dist/mutants/reached.json";

const hashOf = (file: string) => sha256(readFileSync(file, "utf8"));

/** Resolves to `undefined` if it was never measured. */
export function readReach(): Reach | undefined {
  if (!existsSync(path)) return undefined;
  const { functions, tests, atLoad }: KeptReach = JSON.parse(readFileSync(path, "utf8"));
  const places = Map.groupBy(functions.keys(), (place) => functions[place]!);
  const ofFile = Map.groupBy(functions.keys(), (place) => functions[place]!.split("\n")[0]!);
  const known = new Map(
    Object.entries(tests).filter(([file, { hash }]) => existsSync(file) && hash === hashOf(file))
      .map(([file, kept]) => [file, {
        reached: Uint8Array.fromBase64(kept.reached),
        atLoad: Uint8Array.fromBase64(kept.atLoad),
      }]),
  );
  const atSomeLoad = Uint8Array.fromBase64(atLoad);
  const hasOne = (bits: Uint8Array | undefined, { file, within }: Mutant) => {
    // a new function may run wherever the rest of its file does, and what runs at load is used there
    const asked = within === undefined ? ofFile.get(file) : places.get(within) ?? ofFile.get(file);
    return bits === undefined || asked === undefined || asked.some((place) => hasBit(bits, place));
  };
  return {
    inTests: (test, mutant) => hasOne(known.get(test)?.reached, mutant),
    atLoad: (test, mutant) => hasOne(known.get(test)?.atLoad, mutant),
    atSomeLoad: (mutant) => mutant.runsAtLoad || hasOne(atSomeLoad, mutant),
  };
}

function setBits(bits: Uint8Array, places: readonly string[]): void {
  for (const place of places) bits[Number(place) >> 3]! |= 1 << (Number(place) & 7);
}

const hasBit = (bits: Uint8Array, place: number) => (bits[place >> 3]! >> (place & 7) & 1) === 1;

/** Runs all tests, each process some files, and keeps what they reach. */
export async function measureReach(
  tests: readonly string[],
  variables: (process: number) => Readonly<Record<string, string>>,
  isOver: () => boolean,
): Promise<void> {
  const { names, files } = await markFunctions();
  await using copy = await makeCopy(files);
  const queue = tests.entries();
  const kept: Record<string, KeptTest> = {};
  const createBits = () => new Uint8Array(Math.ceil(names.length / 8));
  const atSomeLoad = createBits();
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, async (_, index) => {
    let atLoad = createBits();
    const noteLoad = (_: string, reached: readonly string[]) => setBits(atLoad, reached);
    const session = createSession({ folder: copy.folder, variables: variables(index), noteLoad });
    for (const [at, file] of queue) {
      if (isOver()) break;
      if (at > 0 && at % 50 === 0) console.log(`… ${at} of ${tests.length} test files`);
      atLoad = createBits();
      const bits = createBits();
      const known = await session.learn(file, isOver);
      setBits(bits, known.flatMap(({ reached }) => [...reached]));
      atLoad.forEach((byte, index) => atSomeLoad[index]! |= byte);
      // of a file without a test that passes in the copy, nothing is known
      if (known.length > 0) {
        kept[file] = { hash: hashOf(file), reached: bits.toBase64(), atLoad: atLoad.toBase64() };
      }
    }
    await session.end();
  }));
  if (isOver()) return;
  const reach: KeptReach = { functions: names, tests: kept, atLoad: atSomeLoad.toBase64() };
  await Deno.writeTextFile(path, JSON.stringify(reach));
}
