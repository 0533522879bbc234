/** Judges many mutants in a copy of the checkout, with a process of tests for each core. */
import { copyFiles } from "../test/copy_files.ts";
import { findDependents, git } from "../test/changed.ts";
import { readDurations } from "../test/durations.ts";
import { startServers } from "../test/servers.ts";
import { asDeveloper } from "../runtimes.ts";
import { isInSuite } from "../test/suites.ts";
import { keepCompiling } from "./check_types.ts";
import { createJudge, type JudgeOptions } from "./judge.ts";
import { makeMutants, type Source } from "./make_mutants.ts";
import { isSame, type Mutant } from "./mutant.ts";
import { nearestFirst } from "./nearness.ts";
import { describeLiving } from "./report.ts";
import { type JudgedMutant, openResults, type Results } from "./results.ts";
import { sampleMutants } from "./sample.ts";
import { switchFile, switchText } from "./switch.ts";

export interface MutantOptions {
  readonly sources: readonly Source[];
  readonly seed: string;
  /** Absent: all mutants of the sources. */
  readonly most?: number;
  /** How long the tests of one mutant may take together, in milliseconds. */
  readonly patience: number;
  /** When the run stops, by `performance.now()`. */
  readonly deadline: number;
  /** Test files that have changed with the sources: they are tried first. */
  readonly favoured: ReadonlySet<string>;
}

/** Resolves to the judged mutants. Some are missing if the time was over. */
export async function judgeMutants(options: MutantOptions): Promise<readonly JudgedMutant[]> {
  const { sources, seed, most } = options;
  const texts = new Map(sources.map(({ file, text }) => [file, text]));
  const all = most === undefined
    ? await keepCompiling((await makeMutants(sources)).mutants)
    : await sampleMutants(sources, seed, most);
  const results = openResults(texts);
  const judged = all.flatMap((mutant) => results.find(mutant) ?? []);
  const open = all.filter((mutant) => results.find(mutant) === undefined);
  console.log(
    `${all.length} mutants in ${new Set(all.map(({ file }) => file)).size} files, ` +
      `of which ${judged.length} are judged. Seed ${seed}`,
  );
  return open.length === 0 ? judged : [...judged, ...await judgeInCopy(open, texts, results, options)];
}

async function judgeInCopy(
  open: readonly Mutant[],
  texts: ReadonlyMap<string, string>,
  results: Results,
  { seed, patience, deadline, favoured }: MutantOptions,
): Promise<readonly JudgedMutant[]> {
  const tests = findDependents(listTests(), [...new Set(open.map(({ file }) => file))]);
  const servers = await startServers(tests);
  const folder = await Deno.makeTempDir({ prefix: "postern_mutants_" });
  const options: JudgeOptions = {
    folder,
    variables: { ...servers.variables, POSTERN_TEST_SEED: seed, POSTERN_TEST_PLACE: "deno" },
    findFiles: createFinder(tests, favoured),
    patience,
    isOver: () => performance.now() > deadline,
    memory: { files: new Map(), noticed: new Map() },
  };
  try {
    const { mutants, files } = await placeMutants(open, texts);
    await fillCopy(folder, files);
    const queue = mutants.values();
    const nearest = new Set(mutants.flatMap((each) => options.findFiles(each).slice(0, filesLearntFirst)))
      .values();
    const judge = (_: unknown, index: number) =>
      judgeQueue(nearest, queue, results, withPorts(options, index));
    const parts = await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, judge));
    return parts.flat();
  } finally {
    await servers.end();
    await Deno.remove(folder, { recursive: true });
  }
}

/** Of each source file, before the first mutant: judges that need the same file wait for the one that runs its tests. */
const filesLearntFirst = 6;

async function judgeQueue(
  nearest: Iterable<string>,
  queue: Iterable<Mutant>,
  results: Results,
  options: JudgeOptions,
): Promise<readonly JudgedMutant[]> {
  const judge = createJudge(options);
  const judged: JudgedMutant[] = [];
  try {
    for (const file of nearest) if (!options.isOver()) await judge.learn(file);
    for (const mutant of queue) {
      if (options.isOver()) break;
      const judgement = await judge.judge(mutant);
      // the time was over before all tests were tried
      if (options.isOver() && judgement.verdict !== "dead") break;
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

/** Gives the tests of each process ports of their own. */
function withPorts(options: JudgeOptions, index: number): JudgeOptions {
  const first = 32_000 + index * 1500;
  const variables = { ...options.variables, POSTERN_TEST_PORTS: `${first}-${first + 1499}` };
  return { ...options, variables };
}

/** Returns the test files of the gate that run on Deno. */
function listTests(): readonly string[] {
  return git("ls-files", "--cached", "--others", "--exclude-standard", "tests")
    .filter((file) => /_test\.tsx?$/.test(file) && isInSuite(file, "test"));
}

function createFinder(
  tests: readonly string[],
  favoured: ReadonlySet<string>,
): (mutant: Mutant) => readonly string[] {
  const durations = readDurations();
  const secondsOf = (test: string) => durations.secondsOf("deno", test);
  const found = new Map<string, readonly string[]>();
  return ({ file }) => {
    const before = found.get(file);
    if (before !== undefined) return before;
    const ordered = nearestFirst(
      file,
      findDependents(tests, [file]),
      (test) => favoured.has(test),
      secondsOf,
    );
    found.set(file, ordered);
    return ordered;
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

async function fillCopy(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  await copyFiles(git("ls-files", "--cached", "--others", "--exclude-standard"), folder);
  for (const [file, text] of files) await Deno.writeTextFile(`${folder}/${file}`, text);
  await Deno.writeTextFile(`${folder}/${switchFile}`, switchText);
  const install = ["install", "--quiet", ...asDeveloper];
  const { success } = await new Deno.Command(Deno.execPath(), { args: install, cwd: folder }).output();
  if (!success) throw new Error(`Cannot install the packages of the copy in ${folder}`);
}
