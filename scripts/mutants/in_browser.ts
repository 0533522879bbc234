/**
 * Judges mutants by the tests in Chromium. A page gets no messages from its test, so all of its scripts are made in a copy of
 * its own, where the mutant is on from the beginning. That takes long: it is for what no other test notices.
 */
import { asDeveloper } from "../runtimes.ts";
import { listTests } from "../test/suites.ts";
import { makeCopy } from "./copy.ts";
import { type Judgement, type JudgeOptions, runUntilNoticed } from "./judge.ts";
import type { Mutant } from "./mutant.ts";
import { favour, nearestFirst } from "./nearness.ts";
import { createSession, type KnownTest } from "./session.ts";
import { switchFile, writeSwitch } from "./switch.ts";
import type { ProcessOptions } from "./test_process.ts";

/** The tests of what only pages run, whose names say little about the sources. */
const testsOf: readonly (readonly [folder: string, tests: readonly string[]])[] = [
  ["src/tools/browser/worker/", ["worker"]],
  ["src/tools/browser/msw", ["msw"]],
  ["src/tools/browser/start_worker", ["worker"]],
  ["src/tools/browser/", ["window"]],
];

export interface BrowserJudge extends AsyncDisposable {
  judge(mutant: Mutant): Promise<Judgement>;
}

/** In milliseconds: how long the tests of one mutant may take together. */
const patience = 90_000;

export async function openBrowserJudge(
  changed: ReadonlyMap<string, string>,
  options: Omit<JudgeOptions, "folder" | "findFiles" | "patience">,
): Promise<BrowserJudge> {
  const copy = await makeCopy(changed);
  const { folder } = copy;
  const { memory: { files } } = options;
  const tests = listTests("browser").filter((file) => file.startsWith("tests/browser/"));

  async function switchOn(mutant?: string): Promise<void> {
    await Deno.writeTextFile(`${folder}/${switchFile}`, writeSwitch(mutant));
    const args = ["run", ...asDeveloper, "--allow-all", "scripts/page_files.ts"];
    const { success } = await new Deno.Command(Deno.execPath(), { args, cwd: folder, stdout: "null" })
      .output();
    if (!success) throw new Error("Cannot make the scripts of the pages in the copy");
  }

  async function learn(file: string): Promise<readonly KnownTest[]> {
    await switchOn();
    await using session = openSession({ ...options, folder });
    return await session.learn(file, options.isOver);
  }

  async function* listKnown(file: string): AsyncGenerator<KnownTest> {
    const [, near = []] = testsOf.find(([folder]) => file.startsWith(folder)) ?? [];
    const bonusOf = (test: string) => near.some((name) => test.endsWith(`/${name}_test.ts`)) ? favour : 0;
    for (const test of nearestFirst(file, tests, bonusOf, () => 0)) {
      const learnt = files.get(test) ?? learn(test);
      files.set(test, learnt);
      yield* await learnt;
    }
  }

  return {
    async judge({ id, file }) {
      const nearest: KnownTest[] = [];
      let spent = 0;
      for await (const test of listKnown(file)) {
        if (spent > patience || options.isOver()) break;
        nearest.push(test);
        spent += test.milliseconds;
      }
      await switchOn(id);
      await using session = openSession({ ...options, folder, mutant: id });
      // a test in Chromium may fail by chance, but hardly twice
      const run = async (test: KnownTest) => {
        const answer = await session.run(test, id);
        return answer === "failed" ? await session.run(test, id) : answer;
      };
      return await runUntilNoticed(nearest, run, patience, options.memory);
    },
    [Symbol.asyncDispose]: () => copy[Symbol.asyncDispose](),
  };
}

function openSession(options: ProcessOptions) {
  const session = createSession({ ...options, noteLoad() {} });
  return { ...session, [Symbol.asyncDispose]: () => session.end() };
}
