/** Runs single tests of the copy, in a process that is started anew when a test may have spoilt it. */
import { present } from "../../src/ground/values/present.ts";
import { type ProcessOptions, startTestProcess, type TestProcess } from "./test_process.ts";

/** A test that passes without a mutant. */
export interface KnownTest {
  readonly file: string;
  /** Its place among the tests of the file. */
  readonly index: number;
  readonly name: string;
  readonly milliseconds: number;
  /** The mutants whose code it runs. */
  readonly reached: ReadonlySet<string>;
}

/** How a test ended. A mutant that ends the process, or does not let a file load, fails the test. */
export type Answer = "passed" | "failed" | "late";

export interface SessionOptions extends ProcessOptions {
  /** Gets the mutants whose code ran while a file was loaded, before a test. */
  readonly noteLoad: (file: string, reached: readonly string[]) => void;
}

export interface Session {
  /** Runs the tests of a file without a mutant, until the time is over. Resolves to those that pass. */
  learn(file: string, isOver?: () => boolean): Promise<readonly KnownTest[]>;
  run(test: KnownTest, mutant?: string): Promise<Answer>;
  /** Ends the process. The next test starts another one. */
  end(): Promise<void>;
}

/** In milliseconds. No test of the gate takes as long. */
const learnLimit = 60_000;

/** In milliseconds: what a test may take with a mutant. */
const limitOf = (usual: number) => 3 * usual + 5_000;

export function createSession({ noteLoad, ...options }: SessionOptions): Session {
  let current: { readonly process: TestProcess; readonly loaded: Map<string, readonly string[]> } | undefined;

  const end = async () => {
    const ended = current;
    current = undefined;
    await ended?.process.end();
  };

  /** Resolves to the process, and the names of the file's tests. */
  const enter = async (file: string) => {
    current ??= { process: startTestProcess(options), loaded: new Map() };
    const { process, loaded } = current;
    const known = loaded.get(file);
    if (known !== undefined) return { process, names: known };
    const { names, reached } = await process.load(file) ?? { names: [], reached: [] };
    loaded.set(file, names);
    noteLoad(file, reached);
    return { process, names };
  };

  return {
    async learn(file, isOver = () => false) {
      const known: KnownTest[] = [];
      const { names } = await enter(file);
      for (const [index, name] of names.entries()) {
        if (isOver()) break;
        const { process } = await enter(file);
        const answer = await process.run({ file, index, limit: learnLimit });
        if (typeof answer === "string" || answer.outcome === "late") await end();
        else if (answer.outcome === "passed") {
          const { milliseconds, reached } = answer;
          known.push({ file, index, name, milliseconds, reached: new Set(reached) });
        }
      }
      return known;
    },
    async run({ file, index, name, milliseconds }, mutant) {
      const { process, names } = await enter(file);
      if (names[index] !== name) {
        await end();
        return "failed";
      }
      const answer = await process.run({ file, index, limit: limitOf(milliseconds), ...present({ mutant }) });
      if (typeof answer !== "string" && answer.outcome !== "late") return answer.outcome;
      await end();
      return answer === "ended" ? "failed" : "late";
    },
    end,
  };
}
