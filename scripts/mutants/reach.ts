/** Which functions the tests of each file run. Measured once, and kept below `dist/`, as the durations of the tests are. */
import { existsSync, readFileSync } from "node:fs";
import { sha256 } from "../../src/ground/crypto/platform.ts";
import { makeCopy } from "./copy.ts";
import { markFunctions } from "./mark_functions.ts";
import type { Mutant } from "./mutant.ts";
import { createSession } from "./session.ts";

export interface Reach {
  /** Whether the tests of the file may run the mutant. Those that have changed since they were measured may. */
  mayReach(test: string, mutant: Mutant): boolean;
}

interface KeptReach {
  /** The functions by name. */
  readonly functions: readonly string[];
  readonly tests: Readonly<Record<string, KeptTest>>;
}

interface KeptTest {
  /** Of the file. */
  readonly hash: string;
  /** One bit for each function, in base64url. */
  readonly reached: string;
}

const path = "dist/mutants/reach.json";

const hashOf = (file: string) => sha256(readFileSync(file, "utf8"));

/** Resolves to `undefined` if it was never measured. */
export function readReach(): Reach | undefined {
  if (!existsSync(path)) return undefined;
  const { functions, tests }: KeptReach = JSON.parse(readFileSync(path, "utf8"));
  const places = Map.groupBy(functions.keys(), (place) => functions[place]!);
  const ofFile = Map.groupBy(functions.keys(), (place) => functions[place]!.split("\n")[0]!);
  const known = new Map(
    Object.entries(tests).filter(([file, { hash }]) => existsSync(file) && hash === hashOf(file))
      .map(([file, { reached }]) => [file, Uint8Array.fromBase64(reached)]),
  );
  return {
    mayReach(test, { file, within }) {
      const bits = known.get(test);
      // a new function may run wherever the rest of its file does, and what runs at load is used there
      const asked = within === undefined ? ofFile.get(file) : places.get(within) ?? ofFile.get(file);
      return bits === undefined || asked === undefined || asked.some((place) => hasBit(bits, place));
    },
  };
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
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, async (_, index) => {
    const session = createSession({ folder: copy.folder, variables: variables(index) });
    for (const [at, file] of queue) {
      if (isOver()) break;
      if (at > 0 && at % 50 === 0) console.log(`… ${at} of ${tests.length} test files`);
      const bits = new Uint8Array(Math.ceil(names.length / 8));
      const known = await session.learn(file, isOver);
      for (const place of known.flatMap(({ reached }) => [...reached])) {
        bits[Number(place) >> 3]! |= 1 << (Number(place) & 7);
      }
      // of a file without a test that passes in the copy, nothing is known
      if (known.length > 0) kept[file] = { hash: hashOf(file), reached: bits.toBase64() };
    }
    await session.end();
  }));
  if (isOver()) return;
  const reach: KeptReach = { functions: names, tests: kept };
  await Deno.writeTextFile(path, JSON.stringify(reach));
}
