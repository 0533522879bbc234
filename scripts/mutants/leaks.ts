/**
 * Finds mutants that leave a timer, a socket or a file open. Only `deno test` notices that, so the test files run once more,
 * each in a process of its own: it is for what no other test notices.
 */
import { present } from "../../src/ground/values/present.ts";
import { asDeveloper } from "../runtimes.ts";
import type { Mutant } from "./mutant.ts";
import { placeOf, type ProcessOptions } from "./test_process.ts";

export interface LeakFinder {
  /** Resolves to the first file that fails with the mutant, and only with it. */
  find(mutant: Mutant, files: Iterable<string>): Promise<string | undefined>;
}

/** In milliseconds. A file that takes longer says nothing. */
const longest = 60_000;

/** `sound`: whether a file passes without a mutant. All judges know it. */
export function createLeakFinder(
  options: ProcessOptions,
  sound: Map<string, Promise<boolean>>,
): LeakFinder {
  /** Resolves to `undefined` if it takes too long. */
  async function passes(file: string, mutant?: string): Promise<boolean | undefined> {
    const signal = AbortSignal.timeout(longest);
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["test", "--quiet", ...asDeveloper, "--allow-all", "--no-check", file],
      ...placeOf({ ...options, ...present({ mutant }) }),
      ...{ signal, stdin: "null", stdout: "null", stderr: "null" },
    }).output();
    return signal.aborted ? undefined : success;
  }

  async function isSound(file: string): Promise<boolean> {
    const known = sound.get(file) ?? passes(file).then((passed) => passed === true);
    sound.set(file, known);
    return await known;
  }

  return {
    async find({ id }, files) {
      for (const file of files) if (await passes(file, id) === false && await isSound(file)) return file;
      return undefined;
    },
  };
}
