/** `createMock()` and `login()` as in a test: one after another, and the first in a new process. */
import type { Runtime } from "../../runtimes.ts";
import type { Bench, Report, Scenario } from "../scenario.ts";
import { mockLoginCommand, type MockLoginKit } from "../servers.ts";
import { type Candidate, compareStarts, type Effort, medianOf, messageOf } from "../starts.ts";
import { fixed, type Table } from "../table.ts";

export const mockLogin: Scenario = {
  name: "mock_login",
  describes: "createMock() and login() in a test, compared with two peers; the first one with bare jose",
  run: measureMockLogin,
};

const peers: readonly MockLoginKit[] = [
  "oauth2-mock-server, ES256",
  "oauth2-mock-server, RS256",
  "oidc-provider",
];

const repetitions = 300;
// milliseconds, more than a program needs on a slow machine
const deadline = 30_000;

async function measureMockLogin(bench: Bench): Promise<Report> {
  const figures: unknown[] = [];
  const repeated = await measureRepeated(bench, figures);
  const first = await compareStarts({
    result: "First login, import included,",
    kind: "kit",
    candidates: (runtime) => (["jose", ...kitsOn(runtime, bench)] as const).map((kit) => kitCandidate(kit)),
  }, bench);
  return {
    title: "Mock login",
    tables: [repeated, first.table],
    notes: [
      "A login: create a server, get an access token, an ID token (both ES256, and RS256 where a row says so, which is",
      "what the README of oauth2-mock-server shows) and a refresh token through a complete",
      'code flow with PKCE, dispose of the server. "first" is the first login in that process, after the import.',
      "Postern opens no port; its key is part of the kit, and login() approves as alice. oauth2-mock-server generates a",
      "key and has no sign-in. The key, session and grant of oidc-provider are created directly, without a page. Both",
      "listen on a free port, are called by fetch, and run on Node only. bare is two requests to the limit of the code flow,",
      "without a port. The second table is the time from process start to the tokens, import included; jose is a program",
      "that imports jose, makes a key and signs once. Packages are imported by name in a small project that has them",
      'installed. "× bare" and the last "× jose" compare processor time.',
    ],
    figures: [...figures, ...first.figures.map((each) => ({ measure: "first", ...Object(each) }))],
  };
}

export function kitCandidate(kit: MockLoginKit, label: string = kit): Candidate {
  return {
    label,
    start: async (bench, runtime) => (await runProgram(bench, runtime, kit, 1)).first,
  };
}

function kitsOn({ name }: Runtime, { against }: Bench): readonly MockLoginKit[] {
  const kits: readonly MockLoginKit[] = against === undefined ? ["postern"] : ["postern", "postern, before"];
  if (name === "deno") return [...kits, "postern from source"];
  return name === "node" ? [...kits, ...peers] : kits;
}

async function measureRepeated(bench: Bench, figures: unknown[]): Promise<Table> {
  const rows: (readonly string[])[] = [];
  for (const runtime of bench.runtimes) {
    bench.progress(`Mock login: ${runtime.name}`);
    let bare: number | undefined;
    for (const kit of ["bare", ...kitsOn(runtime, bench)] as const) {
      const name = `${runtime.name} ${kit}`;
      try {
        const { efforts } = await runProgram(bench, runtime, kit, repetitions);
        const { time, cpu } = medianOf(efforts);
        if (kit === "bare") bare = cpu;
        const all = efforts.map(({ time }) => time);
        figures.push({ measure: "repeated", runtime: runtime.name, kit, median: time, cpu, all });
        rows.push([
          name,
          fixed(time, 2),
          `${fixed(Math.min(...all), 2)}–${fixed(Math.max(...all), 2)}`,
          fixed(all[0], 1),
          fixed(cpu, 2),
          fixed(cpu && bare && kit !== "bare" ? cpu / bare : undefined, 1),
        ]);
      } catch (problem) {
        const trouble = `not measured: ${messageOf(problem)}`;
        figures.push({ measure: "repeated", runtime: runtime.name, kit, trouble });
        rows.push([name, trouble]);
      }
    }
  }
  const caption = `Make a server, log in, dispose of it: median of ${repetitions} in one process`;
  return { caption, columns: ["kit", "ms", "lowest–highest", "first", "CPU ms", "× bare"], rows };
}

interface Run {
  /** From just before the process was created to its first output. */
  readonly first: Effort;
  /** Those of each login. */
  readonly efforts: readonly Effort[];
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
  const [cpu, efforts = "[]"] = text.trim().split("\n");
  return { first: { time: firstLineAfter, cpu: Number(cpu) }, efforts: JSON.parse(efforts) as Effort[] };
}

function findErrorLine(output: string): string {
  return /^.*error.*$/im.exec(output)?.[0].trim().slice(0, 200) ?? "it ended and printed nothing";
}
