/** Starts a process that runs tests of the copy, and asks it to run one. */
import { fileURLToPath } from "node:url";
import { present } from "../../src/ground/values/present.ts";
import { readLines } from "../run_program.ts";
import { asDeveloper } from "../runtimes.ts";
import {
  type LoadOutcome,
  marker,
  type RunRequest,
  type TestOutcome,
  type WorkerRequest,
} from "./requests.ts";
import { variables } from "./switch.ts";

export interface TestProcess {
  /** Resolves to `undefined` if the process has ended meanwhile. */
  load(file: string): Promise<LoadOutcome | undefined>;
  /** Resolves to `ended` if the process has ended, and to `hangs` if it does not answer any more. */
  run(request: RunRequest): Promise<TestOutcome | "ended" | "hangs">;
  end(): Promise<void>;
}

export interface ProcessOptions {
  /** The copy of the checkout. */
  readonly folder: string;
  readonly variables: Readonly<Record<string, string>>;
  /** A mutant that is on from the beginning. */
  readonly mutant?: string;
}

/** A test that does not return to the event loop cannot be ended by its own limit. */
const grace = 10_000;

/** Where a process that runs tests is, and its variables. */
export function placeOf(
  { folder, mutant, ...options }: ProcessOptions,
): Required<Pick<Deno.CommandOptions, "cwd" | "env">> {
  return {
    cwd: folder,
    env: {
      NO_COLOR: "1",
      // a mistake may write files where `deno task` was called
      INIT_CWD: folder,
      ...options.variables,
      ...present({ [variables.mutant]: mutant }),
    },
  };
}

export function startTestProcess(options: ProcessOptions): TestProcess {
  const child = new Deno.Command(Deno.execPath(), {
    args: [
      ...["run", "--quiet", ...asDeveloper, "--allow-all", "--no-check"],
      fileURLToPath(import.meta.resolve("./worker.ts")),
    ],
    ...placeOf(options),
    stdin: "piped",
    stdout: "piped",
    stderr: "null",
  }).spawn();
  const input = child.stdin.getWriter();
  const answers = readAnswers(child.stdout);
  const ask = async <Answer>(request: WorkerRequest): Promise<Answer | undefined> => {
    try {
      await input.write(new TextEncoder().encode(`${JSON.stringify(request)}\n`));
    } catch {
      return undefined;
    }
    const { value, done } = await answers.next();
    return done === true ? undefined : value as Answer;
  };
  return {
    load: (file) => ask({ load: file }),
    async run(request) {
      let timer: ReturnType<typeof setTimeout> | undefined;
      const hangs = new Promise<"hangs">((resolve) => {
        timer = setTimeout(() => resolve("hangs"), request.limit + grace);
      });
      const answer = await Promise.race([ask<TestOutcome>(request), hangs]);
      clearTimeout(timer);
      return answer ?? "ended";
    },
    async end() {
      try {
        child.kill("SIGKILL");
      } catch {
        // it has ended
      }
      await child.status;
    },
  };
}

async function* readAnswers(stream: ReadableStream<Uint8Array>): AsyncGenerator<unknown> {
  for await (const line of readLines(stream)) {
    if (line.startsWith(marker)) yield JSON.parse(line.slice(marker.length));
  }
}
