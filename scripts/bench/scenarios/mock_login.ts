/** `createMock()` and `login()` as in a test: one after another, and the first in a new process. */
import type { Runtime } from "../../runtimes.ts";
import type { Bench, Report, Scenario } from "../scenario.ts";
import { mockLoginCommand, type MockLoginKit } from "../servers.ts";
import { type Candidate, compareStarts, messageOf } from "../starts.ts";
import { median } from "../statistics.ts";
import { fixed, type Table } from "../table.ts";

export const mockLogin: Scenario = {
  name: "mock_login",
  describes: "createMock() and login() in a test, compared with two peers; the first one with bare jose",
  run: measureMockLogin,
};

const peers: readonly MockLoginKit[] = ["oauth2-mock-server", "oidc-provider"];

const repetitions = 50;
// milliseconds, more than a program needs on a slow machine
const deadline = 30_000;

async function measureMockLogin(bench: Bench): Promise<Report> {
  const figures: unknown[] = [];
  const repeated = await measureRepeated(bench, figures);
  const first = await compareStarts({
    result: "First login, import included,",
    kind: "kit",
    candidates: (runtime) => (["jose", ...kitsOn(runtime)] as const).map(candidate),
  }, bench);
  return {
    title: "Mock login",
    tables: [repeated, first.table],
    notes: [
      "A login: create a server, get an access token, an ID token (both ES256) and a refresh token through a complete",
      'code flow with PKCE, dispose of the server. "first" is the first login in that process, after the import.',
      "Postern opens no port; its key is part of the kit, and login() approves as alice. oauth2-mock-server generates a",
      "key and has no sign-in. The key, session and grant of oidc-provider are created directly, without a page. Both",
      "listen on a free port, are called by fetch, and run on Node only. The second table is the time from process start",
      "to the tokens, import included; jose is a program that only imports jose. Packages are imported by name in a small",
      "project that has them installed. Goals: a login under 5 ms, the first one under 3 times jose.",
    ],
    figures: [...figures, ...first.figures.map((each) => ({ measure: "first", ...Object(each) }))],
  };
}

function candidate(kit: MockLoginKit): Candidate {
  return {
    label: kit,
    start: async (bench, runtime) => (await runProgram(bench, runtime, kit, 1)).firstLineAfter,
  };
}

function kitsOn({ name }: Runtime): readonly MockLoginKit[] {
  if (name === "deno") return ["postern", "postern from source"];
  return name === "node" ? ["postern", ...peers] : ["postern"];
}

async function measureRepeated(bench: Bench, figures: unknown[]): Promise<Table> {
  const rows: (readonly string[])[] = [];
  for (const runtime of bench.runtimes) {
    bench.progress(`Mock login: ${runtime.name}`);
    let ours: number | undefined;
    for (const kit of kitsOn(runtime)) {
      const name = `${runtime.name} ${kit}`;
      try {
        const { milliseconds: all } = await runProgram(bench, runtime, kit, repetitions);
        const middle = median(all);
        if (kit === "postern") ours = middle;
        figures.push({ measure: "repeated", runtime: runtime.name, kit, median: middle, all });
        rows.push([
          name,
          fixed(middle, 2),
          `${fixed(Math.min(...all), 2)}–${fixed(Math.max(...all), 2)}`,
          fixed(all[0], 1),
          fixed(middle && ours && kit !== "postern" ? middle / ours : undefined, 1),
        ]);
      } catch (problem) {
        const trouble = `not measured: ${messageOf(problem)}`;
        figures.push({ measure: "repeated", runtime: runtime.name, kit, trouble });
        rows.push([name, trouble]);
      }
    }
  }
  const caption = `Make a server, log in, dispose of it: median of ${repetitions} in one process`;
  return { caption, columns: ["kit", "ms", "lowest–highest", "first", "× postern"], rows };
}

interface Run {
  /** Milliseconds from just before the process was created to its first output. */
  readonly firstLineAfter: number;
  /** The duration of each login. */
  readonly milliseconds: readonly number[];
}

async function runProgram(
  bench: Bench,
  runtime: Runtime,
  kit: MockLoginKit,
  count: number,
): Promise<Run> {
  const [path = "", ...args] = mockLoginCommand(bench, runtime, kit, count);
  const startedAt = performance.now();
  const child = new Deno.Command(path, {
    args,
    cwd: bench.programs.root,
    stdin: "null",
    stdout: "piped",
    stderr: "piped",
    signal: AbortSignal.timeout(deadline),
  }).spawn();
  const errorOutput = new Response(child.stderr).text();
  let firstLineAfter: number | undefined;
  let text = "";
  for await (const chunk of child.stdout.pipeThrough(new TextDecoderStream())) {
    firstLineAfter ??= performance.now() - startedAt;
    text += chunk;
  }
  const { success } = await child.status;
  if (!success || firstLineAfter === undefined) throw new Error(findErrorLine(await errorOutput));
  const [, last = "[]"] = text.trim().split("\n");
  return { firstLineAfter, milliseconds: JSON.parse(last) as number[] };
}

function findErrorLine(output: string): string {
  return /^.*error.*$/im.exec(output)?.[0].trim().slice(0, 200) ?? "it ended and printed nothing";
}
