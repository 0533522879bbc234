/** Starts servers as child processes, waits until they answer, reads their CPU time and memory, and stops them. */
import { onCores } from "./cores.ts";
import { type HttpConnection, openConnection } from "./http_connection.ts";
import { createGet } from "./requests.ts";

/** How one server is started. */
export interface Launch {
  readonly command: readonly string[];
  /** A file for what the process prints, which otherwise goes nowhere. It is removed at the end of the process. */
  readonly output?: string;
  readonly port: number;
  /** Answers 200 as soon as the server is ready. */
  readonly readyPath: string;
  readonly authorizePath: string;
  /** Absent: clients of the server cannot push their authorization requests. */
  readonly pushPath?: string;
  readonly tokenPath: string;
  readonly introspectionPath: string;
  readonly userinfoPath: string;
  /** Gives a session cookie, for a server that needs one. */
  readonly sessionPath?: string;
}

export interface ServerProcess {
  readonly launch: Launch;
  /** Where it listens. Several processes that share a store have several ports. */
  readonly ports: readonly number[];
  /** Milliseconds from just before the process was created to its first response with 200. */
  readonly firstAnswerAfter: number;
  /** CPU seconds of the process so far; `undefined` where the system does not report them. */
  cpuSeconds(): number | undefined;
  /** Memory in bytes; `undefined` as above. */
  currentMemory(): number | undefined;
  peakMemory(): number | undefined;
  /** Resolves to the error that the process printed if it has ended by itself, and to `undefined` if it runs. */
  explainEnd(): Promise<string | undefined>;
  stop(): Promise<void>;
}

export interface ServerStarter {
  /** Throws an `Error` with the reason when the server does not start. */
  start(launch: Launch, cores: string | undefined): Promise<ServerProcess>;
  /** Kills all servers without waiting, after a signal or a failure. */
  killAll(): void;
}

const startDeadline = 20_000;
const stopDeadline = 2_000;
const ticksPerSecond = 100;

export function createServerStarter(root: string): ServerStarter {
  const running = new Set<Child>();
  return {
    async start(launch, cores) {
      const startedAt = performance.now();
      const child = spawn(onCores(cores, withOutput(launch)), root);
      running.add(child);
      const forget = () => {
        running.delete(child);
        if (launch.output !== undefined) Deno.removeSync(launch.output);
      };
      child.ended.then(forget, forget);
      await waitForAnswer(launch, child, startedAt);
      return describeProcess(launch, child, performance.now() - startedAt);
    },
    killAll: () => running.forEach((child) => child.kill("SIGKILL")),
  };
}

/** A file takes the output without work for the load generator. The process id stays that of the command. */
function withOutput({ command, output }: Launch): readonly string[] {
  return output === undefined ? command : ["sh", "-c", 'exec "$@" > "$0"', output, ...command];
}

interface Child {
  readonly pid: number;
  hasEnded(): boolean;
  readonly ended: Promise<void>;
  kill(signal: Deno.Signal): void;
  /** Sends SIGTERM, and kills the process if it does not end in time. */
  stop(): Promise<void>;
  /** Resolves to the error that the process printed, when the process has ended. */
  findError(): Promise<string>;
}

function spawn([program = "", ...args]: readonly string[], root: string): Child {
  const process = new Deno.Command(program, {
    args,
    cwd: root,
    stdin: "null",
    stdout: "null",
    stderr: "piped",
  }).spawn();
  const output = collectOutput(process.stderr);
  let hasEnded = false;
  const ended = process.status.then(() => void (hasEnded = true));
  const kill = (signal: Deno.Signal) => {
    try {
      process.kill(signal);
    } catch {
      // the process has ended by itself
    }
  };
  return {
    pid: process.pid,
    hasEnded: () => hasEnded,
    ended,
    kill,
    async stop() {
      kill("SIGTERM");
      const timer = setTimeout(() => kill("SIGKILL"), stopDeadline);
      await ended;
      clearTimeout(timer);
      await output;
    },
    findError: async () => summarize(await output),
  };
}

async function waitForAnswer(launch: Launch, child: Child, startedAt: number): Promise<void> {
  while (!await answers(launch)) {
    if (child.hasEnded()) throw new Error(await child.findError());
    if (performance.now() - startedAt > startDeadline) {
      await child.stop();
      throw new Error(`no 200 from ${launch.readyPath} within ${startDeadline / 1000} s`);
    }
    await new Promise((resolve) => setTimeout(resolve, 1));
  }
  if (child.hasEnded()) throw new Error(`another program listens on port ${launch.port}`);
}

function describeProcess(launch: Launch, child: Child, firstAnswerAfter: number): ServerProcess {
  const { pid } = child;
  return {
    launch,
    ports: [launch.port],
    firstAnswerAfter,
    cpuSeconds: () => ask(readCpuSeconds, pid),
    currentMemory: () => ask((pid) => readMemory(pid, "VmRSS"), pid),
    peakMemory: () => ask((pid) => readMemory(pid, "VmHWM"), pid),
    async explainEnd() {
      // the connection may break before the process has ended
      await new Promise((resolve) => setTimeout(resolve, 100));
      return child.hasEnded() ? await child.findError() : undefined;
    },
    stop: child.stop,
  };
}

/** Measures and stops several processes as one server. */
export function joinProcesses(processes: readonly ServerProcess[]): ServerProcess {
  const [first] = processes;
  if (first === undefined) throw new Error("A server needs a process");
  const sum = (values: readonly (number | undefined)[]) =>
    values.reduce(
      (total, value) => total === undefined || value === undefined ? undefined : total + value,
      0,
    );
  return {
    launch: first.launch,
    ports: processes.flatMap(({ ports }) => ports),
    firstAnswerAfter: Math.max(...processes.map(({ firstAnswerAfter }) => firstAnswerAfter)),
    cpuSeconds: () => sum(processes.map((process) => process.cpuSeconds())),
    currentMemory: () => sum(processes.map((process) => process.currentMemory())),
    peakMemory: () => sum(processes.map((process) => process.peakMemory())),
    async explainEnd() {
      const ends = await Promise.all(processes.map((process) => process.explainEnd()));
      return ends.find((end) => end !== undefined);
    },
    stop: async () => void await Promise.all(processes.map((process) => process.stop())),
  };
}

/** The URL of a path, as the clients of the server see it. */
export function urlOf({ launch: { port } }: ServerProcess, path: string): string {
  return `http://localhost:${port}${path}`;
}

export function freePort(): number {
  const listener = Deno.listen({ hostname: "127.0.0.1", port: 0 });
  const { port } = listener.addr as Deno.NetAddr;
  listener.close();
  return port;
}

async function answers({ port, readyPath }: Launch): Promise<boolean> {
  let connection: HttpConnection | undefined;
  try {
    connection = await openConnection(port);
    return (await connection.exchange(createGet(connection, readyPath))).status === 200;
  } catch {
    return false;
  } finally {
    connection?.close();
  }
}

async function collectOutput(stream: ReadableStream<Uint8Array>): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const octets of stream) text = (text + decoder.decode(octets, { stream: true })).slice(-8000);
  return text;
}

function summarize(output: string): string {
  // deno-lint-ignore no-control-regex
  const lines = output.replace(/\x1b\[[0-9;]*m/g, "").split("\n").map((line) => line.trim()).filter(Boolean);
  const error = lines.find((line) => /error/i.test(line)) ?? lines.at(-1) ?? "it ended and printed nothing";
  return error.slice(0, 200);
}

function readMemory(pid: number, field: "VmRSS" | "VmHWM"): number {
  const status = Deno.readTextFileSync(`/proc/${pid}/status`);
  return Number(new RegExp(`^${field}:\\s*(\\d+) kB$`, "m").exec(status)?.[1]) * 1024;
}

/** The CPU seconds of a process so far. */
export function readCpuSeconds(pid: number): number {
  // the name in parentheses may hold spaces; user and system time are fields 14 and 15
  const fields = Deno.readTextFileSync(`/proc/${pid}/stat`).replace(/^.*\) /s, "").split(" ");
  const coarse = (Number(fields[11]) + Number(fields[12])) / ticksPerSecond;
  // The threads have it in nanoseconds, but those that have ended are missing.
  return Math.max(coarse, ask(sumOfThreads, pid) ?? 0);
}

function sumOfThreads(pid: number): number {
  const threads = [...Deno.readDirSync(`/proc/${pid}/task`)];
  const times = threads.map(({ name }) => Deno.readTextFileSync(`/proc/${pid}/task/${name}/schedstat`));
  return times.reduce((sum, text) => sum + parseInt(text) / 1e9, 0);
}

/** Returns `undefined` where the system has no /proc. */
function ask(read: (pid: number) => number, pid: number): number | undefined {
  try {
    return read(pid);
  } catch {
    return undefined;
  }
}
