/** Judges mutants: runs the tests that reach one, until a test notices it. */
import { createLeakFinder } from "./leaks.ts";
import type { Mutant } from "./mutant.ts";
import { countSharedWords } from "./nearness.ts";
import { type Answer, createSession, type KnownTest, type Session } from "./session.ts";
import type { ProcessOptions } from "./test_process.ts";

/** `unreached`: no test runs its code. `late`: a test took too long with it, which is not the same as to fail. */
export type Verdict = "dead" | "alive" | "late" | "unreached";

export interface Judgement {
  readonly verdict: Verdict;
  /** The test that noticed it, or that was late. Only its file, if the test left something open. */
  readonly by?: string;
  /** The tests that ran its code and passed. */
  readonly passed: readonly string[];
}

export interface Judge {
  /** Runs the tests of a file without a mutant, if no judge has. */
  learn(file: string): Promise<void>;
  judge(mutant: Mutant): Promise<Judgement>;
  end(): Promise<void>;
}

export interface JudgeOptions extends ProcessOptions {
  /** Returns the test files that may notice the mutant. */
  readonly findFiles: (mutant: Mutant) => FoundFiles;
  /** How long the tests of one mutant may take together, in milliseconds of a machine that does nothing else. */
  readonly patience: number;
  /** Whether no time is left. */
  readonly isOver: () => boolean;
  /** What all judges know. */
  readonly memory: Memory;
  /** Judges what no other test notices. */
  readonly judgeInBrowser?: (mutant: Mutant) => Promise<Judgement>;
}

/** Test files that may notice a mutant, the nearest first. */
export interface FoundFiles {
  /** A test of the file may run its code. */
  readonly inTests: readonly string[];
  /** These, and those that may run its code while they are loaded. */
  readonly all: readonly string[];
}

/** What is known of the tests. */
export interface Memory {
  /** The tests of a file. Pending while one of the judges runs them. */
  readonly files: Map<string, Promise<readonly KnownTest[]>>;
  /** The mutants whose code runs while a file of tests, or a module, is loaded. */
  readonly atLoad: Set<string>;
  /** How many mutants a test has noticed. */
  readonly noticed: Map<KnownTest, number>;
  /** Whether a file of tests passes by itself without a mutant. Pending while it runs. */
  readonly sound: Map<string, Promise<boolean>>;
}

/** So many of the nearest test files are run for what their tests leave open. */
const filesForLeaks = 3;

/** A process is replaced after as many mutants, because what they leave behind adds up. */
const mutantsOfProcess = 150;

export function createJudge(options: JudgeOptions): Judge {
  const { memory } = options;
  const session = openSession(options);
  const leakFinder = createLeakFinder(options, memory.sound);
  let judged = 0;

  async function judgeLeaks(mutant: Mutant, here: Judgement): Promise<Judgement> {
    const files = new Set(here.passed.map(fileOf));
    const by = options.isOver()
      ? undefined
      : await leakFinder.find(mutant, [...files].slice(0, filesForLeaks));
    return by === undefined ? here : { ...here, verdict: "dead", by };
  }

  async function judgeHere(mutant: Mutant): Promise<Judgement> {
    const found = options.findFiles(mutant);
    const tests = (files: readonly string[]) => listTests(mutant, files, session, options);
    const all = tests(found.all);
    if (mutant.runsAtLoad) return await judgeApart(mutant, all, options.patience, options);
    const reaching = keep(tests(found.inTests), ({ reached }) => reached.has(mutant.id));
    const run = (test: KnownTest) => notices(session, test, mutant.id);
    const here = await runUntilNoticed(reaching, run, options.patience, memory);
    if (here.verdict === "dead" || here.verdict === "late") return here;
    // what no test runs may still be in what is made before
    const isAtLoad = () => here.verdict === "alive" || memory.atLoad.has(mutant.id);
    const apart = await judgeApart(mutant, keep(all, isAtLoad), options.patience / 2, options);
    return { ...apart, passed: [...new Set([...here.passed, ...apart.passed])] };
  }

  return {
    learn: async (file) => void await learn(file, session, options),
    async judge(mutant) {
      if (++judged % mutantsOfProcess === 0) await session.end();
      const noticed = await judgeHere(mutant);
      const here = noticed.verdict === "alive" ? await judgeLeaks(mutant, noticed) : noticed;
      if (!["alive", "unreached"].includes(here.verdict) || options.judgeInBrowser === undefined) return here;
      const there = await options.judgeInBrowser(mutant);
      return { ...there, passed: [...here.passed, ...there.passed] };
    },
    end: () => session.end(),
  };
}

function openSession(options: ProcessOptions & Pick<JudgeOptions, "memory">): Session {
  const { memory: { atLoad } } = options;
  const noteLoad = (_: string, reached: readonly string[]) => reached.forEach((id) => atLoad.add(id));
  return createSession({ ...options, noteLoad });
}

/** How many times longer tests take at the moment, because more processes want to run than the machine has cores. */
const slowdown = () => Math.max(1, Deno.loadavg()[0]! / navigator.hardwareConcurrency);

/** So many milliseconds of each file's tests come first, because a mistake that they do not notice, another file may. */
const turnOfFile = 2_000;

/**
 * Yields the tests of the files that may notice the mutant. First of each file are those whose names share words with the
 * source, then those that have noticed most, then the quickest.
 */
async function* listTests(
  mutant: Mutant,
  files: Iterable<string>,
  session: Session,
  options: JudgeOptions,
): AsyncGenerator<KnownTest> {
  const { memory, isOver } = options;
  const later: KnownTest[] = [];
  for (const file of files) {
    if (isOver()) return;
    let spent = 0;
    for (const test of sortTests(await learn(file, session, options), mutant, memory)) {
      if (spent < turnOfFile) yield test;
      else later.push(test);
      spent += test.milliseconds / slowdown();
    }
  }
  yield* later;
}

function sortTests(
  tests: readonly KnownTest[],
  { file }: Mutant,
  { noticed }: Memory,
): readonly KnownTest[] {
  const ranks = new Map(tests.map((test) => [
    test,
    { shared: countSharedWords(file, test.name), noticed: noticed.get(test) ?? 0 },
  ]));
  return tests.toSorted((left, right) => {
    const [one, other] = [ranks.get(left)!, ranks.get(right)!];
    return other.shared - one.shared || other.noticed - one.noticed || left.milliseconds - right.milliseconds;
  });
}

function learn(
  file: string,
  session: Session,
  { memory: { files }, isOver }: JudgeOptions,
): Promise<readonly KnownTest[]> {
  const learnt = files.get(file) ?? session.learn(file, isOver);
  files.set(file, learnt);
  return learnt;
}

async function* keep(
  tests: AsyncIterable<KnownTest>,
  isKept: (test: KnownTest) => boolean,
): AsyncGenerator<KnownTest> {
  for await (const test of tests) if (isKept(test)) yield test;
}

const nameOf = ({ file, name }: KnownTest) => `${file}: ${name}`;

/** The file of a test by what `nameOf` returns. */
export const fileOf = (name: string): string => name.slice(0, name.indexOf(": "));

/** Runs tests until one does not pass, or until they have taken `patience` milliseconds. */
export async function runUntilNoticed(
  tests: AsyncIterable<KnownTest> | Iterable<KnownTest>,
  run: (test: KnownTest) => Promise<Answer>,
  patience: number,
  { noticed }: Memory,
): Promise<Judgement> {
  const passed: string[] = [];
  let spent = 0;
  for await (const test of tests) {
    if (spent > patience) break;
    spent += test.milliseconds / slowdown();
    const answer = await run(test);
    const name = nameOf(test);
    if (answer === "late") return { verdict: "late", by: name, passed };
    if (answer === "failed") {
      noticed.set(test, (noticed.get(test) ?? 0) + 1);
      return { verdict: "dead", by: name, passed };
    }
    passed.push(name);
  }
  return { verdict: passed.length === 0 ? "unreached" : "alive", passed };
}

/** A test that fails must pass without the mutant. Otherwise an earlier mutant has left something behind. */
async function notices(session: Session, test: KnownTest, mutant: string): Promise<Answer> {
  const answer = await session.run(test, mutant);
  if (answer !== "failed" || await session.run(test) === "passed") return answer;
  await session.end();
  const again = await session.run(test, mutant);
  return again === "failed" && await session.run(test) !== "passed" ? "passed" : again;
}

/**
 * Judges in a process of its own, in which the mutant is on from the beginning: what a process makes once, such as a table or a
 * kept value, is made with the mutant there. So a test counts even if it was not seen to reach the mutant.
 */
async function judgeApart(
  mutant: Mutant,
  tests: AsyncIterable<KnownTest>,
  patience: number,
  options: JudgeOptions,
): Promise<Judgement> {
  const session = openSession({ ...options, mutant: mutant.id });
  try {
    const run = (test: KnownTest) => session.run(test, mutant.id);
    return await runUntilNoticed(tests, run, patience, options.memory);
  } finally {
    await session.end();
  }
}
