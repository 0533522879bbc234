/**
 * Runs tests of a copy of the checkout in one process, one for each line of standard input, and switches mutants on and off
 * between them. Its working directory is the copy. It answers with lines that begin with `marker`.
 */
import { existsSync, readFileSync, rmSync } from "node:fs";
import { createInterface } from "node:readline";
import { join } from "node:path";
import process from "node:process";
import { pathToFileURL } from "node:url";
import {
  type LoadOutcome,
  marker,
  type RunRequest,
  type TestOutcome,
  type WorkerRequest,
} from "./requests.ts";
import { stateName, type SwitchState, variables } from "./switch.ts";

interface CollectedTest {
  readonly name: string;
  readonly run: () => void | Promise<void>;
}

const { setTimeout: startTimer, clearTimeout: stopTimer } = globalThis;

/** The mutant that is on from the beginning, if this process is for one. */
const ownMutant = process.env[variables.mutant];
const state: SwitchState = { on: ownMutant, record: undefined };
(globalThis as unknown as Record<string, SwitchState>)[stateName] = state;

// a terminal sends Ctrl+C to all processes; this one ends when its standard input does
Deno.addSignalListener("SIGINT", () => {});

/** What programs of a test have reached. */
const reachedElsewhere = join(Deno.cwd(), `reached_${process.pid}.txt`);

let collected: CollectedTest[] = [];
/** What must run before the next test. */
const prepare: (() => void | Promise<void>)[] = [];
Object.defineProperty(Deno, "test", {
  value: Object.assign(
    ({ name, fn }: { readonly name: string; readonly fn: CollectedTest["run"] }) =>
      void collected.push({ name, run: fn }),
    {
      ignore: () => {},
      beforeAll: (fn: () => void | Promise<void>) => void prepare.push(fn),
      // the end of the process ends what was prepared
      afterAll: () => {},
    },
  ),
});

const { enterFile } = await import(pathToFileURL("tests/runner.ts").href) as {
  readonly enterFile: (file: string) => void;
};

const files = new Map<string, readonly CollectedTest[]>();

async function load(file: string): Promise<LoadOutcome> {
  collected = [];
  enterFile(file);
  const reached = new Set<string>();
  // the mutant of an earlier test must not be in what modules make once
  switchOn(ownMutant, reached);
  try {
    await import(pathToFileURL(file).href);
    files.set(file, collected);
  } catch {
    collected = [];
  }
  return { names: collected.map(({ name }) => name), reached: [...reached, ...readElsewhere()] };
}

/** What no test awaits fails the test that runs. */
let failNow = () => {};
for (const type of ["unhandledrejection", "error"] as const) {
  globalThis.addEventListener(type, (event) => {
    event.preventDefault();
    failNow();
  });
}

async function run({ file, index, mutant, limit }: RunRequest): Promise<TestOutcome> {
  const reached = new Set<string>();
  switchOn(mutant, reached);
  const started = performance.now();
  let timer: ReturnType<typeof startTimer> | undefined;
  const late = new Promise<"late">((resolve) => timer = startTimer(() => resolve("late"), limit));
  const failed = new Promise<"failed">((resolve) => failNow = () => resolve("failed"));
  const ended = (async () => {
    try {
      for (const each of prepare.splice(0)) await each();
      await files.get(file)![index]!.run();
      return "passed" as const;
    } catch {
      return "failed" as const;
    }
  })();
  const outcome = await Promise.race([ended, failed, late]);
  stopTimer(timer);
  return { outcome, milliseconds: performance.now() - started, reached: [...reached, ...readElsewhere()] };
}

/** Without a mutant, what the test reaches is recorded. */
function switchOn(mutant: string | undefined, reached: Set<string>): void {
  if (mutant === undefined) {
    delete process.env[variables.mutant];
    process.env[variables.reach] = reachedElsewhere;
    state.record = (ids) => {
      for (const id of ids) reached.add(id);
    };
  } else {
    process.env[variables.mutant] = mutant;
    delete process.env[variables.reach];
    state.record = undefined;
  }
  state.on = mutant;
}

function readElsewhere(): readonly string[] {
  if (!existsSync(reachedElsewhere)) return [];
  const ids = readFileSync(reachedElsewhere, "utf8").split("\n").filter((id) => id !== "");
  rmSync(reachedElsewhere);
  return ids;
}

/** The other side takes the two line separators of Unicode for the end of a line, too. */
function onOneLine(json: string): string {
  return json.replace(/[\u2028\u2029]/g, (found) => found === "\u2028" ? "\\u2028" : "\\u2029");
}

for await (const line of createInterface({ input: process.stdin })) {
  const request: WorkerRequest = JSON.parse(line);
  const reply = "load" in request ? await load(request.load) : await run(request);
  process.stdout.write(`\n${marker}${onOneLine(JSON.stringify(reply))}\n`);
}
process.exit(0);
