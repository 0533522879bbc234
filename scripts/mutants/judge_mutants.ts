/** Judges many mutants in a copy of the checkout, with a process of tests for each core. */
import { present } from "../../src/ground/values/present.ts";
import { findDependents } from "../test/changed.ts";
import { readDurations } from "../test/durations.ts";
import { portsOf } from "../test/ports.ts";
import { startServers, type TestServers } from "../test/servers.ts";
import { listTests } from "../test/suites.ts";
import { openCompiler } from "./check_types.ts";
import { makeCopy } from "./copy.ts";
import { openBrowserJudge } from "./in_browser.ts";
import { createJudge, type FoundFiles, type JudgeOptions, type Memory } from "./judge.ts";
import { makeMutants, type Source } from "./make_mutants.ts";
import { isOf, isSame, type Mutant } from "./mutant.ts";
import { favour, nearestFirst } from "./nearness.ts";
import { measureReach, type Reach, readReach } from "./reach.ts";
import { describeLiving } from "./report.ts";
import { type JudgedMutant, openResults, type Results } from "./results.ts";
import { sampleMutants } from "./sample.ts";

export interface MutantOptions {
  readonly sources: readonly Source[];
  readonly seed: string;
  /** Only mutants of this kind, or of source that begins with this text. */
  readonly only?: string;
  /** Absent: all mutants of the sources. */
  readonly most?: number;
  /** How long the tests of one mutant may take together, in milliseconds. */
  readonly patience: number;
  /** Whether no time is left. */
  readonly isOver: () => boolean;
  /** There is time to measure which tests run which functions, if it is unknown. */
  readonly mayMeasure: boolean;
  /** Also runs the tests in Chromium, for what no other test notices. */
  readonly inBrowser: boolean;
  /** Test files that have changed with the sources: they are tried first. */
  readonly favoured: ReadonlySet<string>;
}

/** Resolves to the judged mutants. Some are missing if the time was over. */
export async function judgeMutants(options: MutantOptions): Promise<readonly JudgedMutant[]> {
  const { sources, seed } = options;
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  const all = await chooseMutants(options);
  const results = openResults(texts, options.inBrowser);
  const found = all.map((mutant) => results.find(mutant));
  const judged = found.filter((each) => each !== undefined);
  const open = all.filter((_, index) => found[index] === undefined);
  console.log(
    `${all.length} mutants in ${new Set(all.map(({ file }) => file)).size} files, ` +
      `of which ${judged.length} are judged. Seed ${seed}`,
  );
  return open.length === 0 ? judged : [...judged, ...await judgeInCopy(open, texts, results, options)];
}

async function chooseMutants({ sources, seed, only, most }: MutantOptions): Promise<readonly Mutant[]> {
  await using compiler = await openCompiler(sources.map(({ file }) => file));
  const make = async (made: readonly Source[]) =>
    (await makeMutants(made)).mutants.filter((mutant) => only === undefined || isOf(mutant, only));
  return most === undefined
    ? await compiler.keepCompiling(await make(sources))
    : await sampleMutants(sources, seed, most, { make, compiler });
}

async function judgeInCopy(
  open: readonly Mutant[],
  texts: ReadonlyMap<string, string>,
  results: Results,
  { seed, patience, isOver, mayMeasure, inBrowser, favoured }: MutantOptions,
): Promise<readonly JudgedMutant[]> {
  const tests = listTests("test");
  await using servers = await openServers(tests);
  const variables = (index: number) => ({
    ...servers.variables,
    POSTERN_TEST_SEED: seed,
    POSTERN_TEST_PLACE: "deno",
    POSTERN_TEST_PORTS: portsOf(index),
  });
  let reach = readReach();
  if (mayMeasure && reach === undefined) {
    console.log("Measures which tests run which functions. This takes some minutes, once");
    await measureReach(tests, variables, isOver);
    reach = readReach();
  }
  const { mutants, files } = await placeMutants(open, texts);
  await using copy = await makeCopy(files);
  const findFiles = createFinder(tests, favoured, reach, results);
  const queue = mutants.entries();
  const first = listNearest(mutants, findFiles).values();
  const memory: Memory = { files: new Map(), atLoad: new Set(), noticed: new Map(), sound: new Map() };
  const judge = async (_: unknown, index: number) => {
    const options = { variables: variables(index), isOver, memory };
    await using browser = inBrowser ? await openBrowserJudge(files, options) : undefined;
    return await judgeQueue(first, queue, results, {
      ...options,
      folder: copy.folder,
      findFiles,
      patience,
      ...present({ judgeInBrowser: browser?.judge }),
    });
  };
  const parts = await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, judge));
  return parts.flat();
}

async function openServers(tests: readonly string[]): Promise<TestServers & AsyncDisposable> {
  const servers = await startServers(tests);
  return { ...servers, [Symbol.asyncDispose]: servers.end };
}

/**
 * Returns the test files that are run before the first mutant, because judges that need the same file wait for the one that
 * runs its tests. Of many sources there are fewer for each.
 */
function listNearest(
  mutants: readonly Mutant[],
  findFiles: (mutant: Mutant) => FoundFiles,
): Set<string> {
  const sources = new Set(mutants.map(({ file }) => file)).size;
  const each = Math.max(1, Math.min(6, Math.floor(60 / sources)));
  return new Set(mutants.flatMap((mutant) => findFiles(mutant).inTests.slice(0, each)));
}

async function judgeQueue(
  nearest: Iterable<string>,
  queue: Iterable<readonly [index: number, mutant: Mutant]>,
  results: Results,
  options: JudgeOptions,
): Promise<readonly JudgedMutant[]> {
  const judge = createJudge(options);
  const judged: JudgedMutant[] = [];
  try {
    for (const file of nearest) if (!options.isOver()) await judge.learn(file);
    for (const [index, mutant] of queue) {
      if (options.isOver()) break;
      if (index > 0 && index % 25 === 0) console.log(`… ${index} mutants are judged`);
      const judgement = await judge.judge(mutant);
      // not all tests were tried, or one was ended
      if (options.isOver()) break;
      const each = { mutant, ...judgement };
      judged.push(each);
      results.add(each);
      if (judgement.verdict !== "dead") console.log(describeLiving(each));
    }
  } finally {
    await judge.end();
  }
  return judged;
}

/** Without a measured reach, so many of the nearest files are tried, as they are for what modules make once. */
const filesWithoutReach = 40;

/** So many of the nearest files are tried before those below, unless the mutant is in what is made before a request. */
const nearestOfAll = 4;

/** They compare what is made before a request: tables, schemas and limits, and what each feature announces and takes. */
const testsOfTables = [
  "tests/server/features/announced_options_test.ts",
  "tests/server/features/programs_page_test.ts",
  "tests/kit/faults/facts_test.ts",
  "tests/kit/mock/misbehaving/provider_answers_test.ts",
  "tests/kit/mock/misbehaving/provider_members_test.ts",
  "tests/kit/mock/misbehaving/survey_test.ts",
  "tests/tools/control/openapi_test.ts",
];

/** A program that the test starts writes the pages, so no import says that the test depends on a source. */
const testOfMadePages = "tests/documentation/made_pages_test.ts";

/** Returns a function that finds the test files that may run a mutant, the nearest first. */
function createFinder(
  tests: readonly string[],
  favoured: ReadonlySet<string>,
  reach: Reach | undefined,
  { countNoticed }: Results,
): (mutant: Mutant) => FoundFiles {
  const madePages = tests.filter((test) => test === testOfMadePages);
  const durations = readDurations();
  const secondsOf = (test: string) => durations.secondsOf("deno", test);
  const ordered = new Map<string, readonly string[]>();
  const order = (file: string) => {
    const bonusOf = (test: string) =>
      (favoured.has(test) ? favour : 0) + 2 * Math.log2(1 + countNoticed(file, test));
    return nearestFirst(file, findDependents(tests, [file]), bonusOf, secondsOf);
  };
  return (mutant) => {
    const nearest = ordered.get(mutant.file) ?? order(mutant.file);
    ordered.set(mutant.file, nearest);
    const tables = [...testsOfTables.filter((test) => nearest.includes(test)), ...madePages];
    const first = mutant.runsAtLoad ? 0 : nearestOfAll;
    const withTables = (files: readonly string[]) => [
      ...new Set([...files.slice(0, first), ...tables, ...files]),
    ];
    const few = nearest.slice(0, filesWithoutReach);
    if (reach === undefined) {
      const tried = withTables(few);
      return { inTests: tried, all: tried };
    }
    const inTests = nearest.filter((test) => reach.inTests(test, mutant));
    if (!reach.atSomeLoad(mutant)) return { inTests, all: inTests };
    const chosen = new Set([...inTests, ...few]);
    const all = nearest.filter((test) => chosen.has(test) || reach.atLoad(test, mutant));
    return { inTests: withTables(inTests), all: withTables(all) };
  };
}

/** Makes the chosen mutants once more, with the switches of these places only. */
async function placeMutants(
  chosen: readonly Mutant[],
  texts: ReadonlyMap<string, string>,
): Promise<Awaited<ReturnType<typeof makeMutants>>> {
  const sources = [...Map.groupBy(chosen, ({ file }) => file)].map(([file, places]) => (
    { file, text: texts.get(file)!, places }
  ));
  const { mutants, files } = await makeMutants(sources);
  return { files, mutants: mutants.filter((each) => chosen.some((other) => isSame(each, other))) };
}
