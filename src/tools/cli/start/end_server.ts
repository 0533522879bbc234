/** Stops a server when the terminal, the system or the end of its npx asks for it: its requests first, and its store last. */

import { execFile } from "node:child_process";
import { getPriority } from "node:os";
import process from "node:process";
import { within } from "../../../server/runtime/real_timer.ts";
import { findRuntimeName } from "../../../server/runtime/runtime_name.ts";
import { runsAsTask } from "../terminal/program.ts";

interface EndOptions {
  /** Resolves when the socket has no more requests, or when their time is over. Tells whether all requests have ended. */
  readonly drained: Promise<boolean>;
  readonly server: { close(): Promise<void> };
  readonly store: { close(): Promise<void> };
  /** How many seconds each may take to end, when the socket has no more requests. */
  readonly limits?: Readonly<Record<"server" | "store", number>>;
}

// A running call of a store takes up to five seconds.
const usualLimits = { server: 2, store: 6 };

/** Rejects if something did not end in time, so that the program ends in bounded time even if the store hangs. */
export async function endServer({ drained, server, store, limits = usualLimits }: EndOptions): Promise<void> {
  // At the same time as the socket, because it ends requests that wait at a gate.
  const closed = server.close();
  // Its error is thrown below, after the socket has ended.
  closed.catch(() => {});
  try {
    const haveEnded = await drained;
    // Without requests, the server is only making a key, which takes seconds on a busy machine. Nothing needs the key.
    if (!await endsWithin(limits.server, closed) && !haveEnded) {
      throw new Error("Some requests did not end in time");
    }
  } finally {
    await endStore(store, limits.store);
  }
}

async function endStore(store: EndOptions["store"], seconds: number): Promise<void> {
  if (!await endsWithin(seconds, store.close())) throw new Error(`The store did not end within ${seconds} s`);
}

/** Resolves to whether the work ended in time. Rejects if it failed. */
async function endsWithin(seconds: number, work: Promise<void>): Promise<boolean> {
  const isInTime = await within(seconds, work);
  if (isInTime) await work;
  return isInTime;
}

// In seconds. A second signal within this time is the same Ctrl-C, because a task runner sends it again.
const echo = 0.3;

interface StopOptions {
  readonly stop: (signal: string) => Promise<void>;
  readonly reportError: (message: string) => void;
  /** The end of the standard input stops the server, too. */
  readonly withInput: boolean;
}

const exitCodes = { SIGINT: 130, SIGTERM: 143 } as const;

export async function stopOnSignal({ stop, reportError, withInput }: StopOptions): Promise<void> {
  let stoppingSince: number | undefined;
  const end = async (signal: keyof typeof exitCodes) => {
    const now = performance.now() / 1000;
    if (stoppingSince !== undefined) {
      // A second Ctrl-C ends the program without waiting.
      if (now - stoppingSince > echo) process.exit(exitCodes[signal]);
      return;
    }
    stoppingSince = now;
    try {
      await stop(signal);
    } catch (error) {
      reportError((error as Error).message);
      process.exit(1);
    }
    process.exit(0);
  };
  for (const signal of ["SIGINT", "SIGTERM"] as const) process.on(signal, () => end(signal));
  if (withInput) {
    // an input that cannot be read has ended, too
    for (const event of ["end", "error"]) process.stdin.once(event, () => end("SIGTERM"));
    process.stdin.resume();
  }
  if (process.env["npm_lifecycle_event"] === "npx") {
    await endWithNpx(() => end("SIGTERM"));
  }
}

// The task of deno.json allows Deno to run this program.
const listProcesses = "/bin/ps";

// In seconds.
const interval = 0.5;

/** Not every signal for npx reaches this program: npm and a shell are between them. */
async function endWithNpx(end: () => void): Promise<void> {
  // Other programs that npx started, such as an editor, pass its variables on to their terminals.
  const [, started] = /^\W?(\w+)/.exec(process.env["npm_lifecycle_script"] ?? "") ?? [];
  if (started !== (runsAsTask() ? "deno" : "postern") || !await mayLook()) return;
  const processes = await readProcesses();
  const parent = process.ppid;
  const watched = findNpx(processes, parent);
  // The first process is no npx, and has taken this one over: npx ended while the server started.
  if (parent === 1 && processes !== "" && watched.length === 1) return end();
  const timer = setInterval(() => {
    if (watched.every(isRunning)) return;
    clearInterval(timer);
    end();
  }, interval * 1000);
  timer.unref();
}

/** Without the permissions, Deno would ask for them in the terminal. */
async function mayLook(): Promise<boolean> {
  if (findRuntimeName() !== "deno") return true;
  const needed = [
    { name: "run", command: listProcesses },
    { name: "sys", kind: "getPriority" },
  ] as const;
  const found = await Promise.all(needed.map((each) => Deno.permissions.query(each)));
  return found.every(({ state }) => state === "granted");
}

/** Resolves to nothing where the program is missing. */
function readProcesses(): Promise<string> {
  const options = { maxBuffer: Infinity };
  return new Promise((resolve) => {
    execFile(listProcesses, ["-A", "-o", "pid=,ppid=,args="], options, (_error, output) => resolve(output));
  });
}

/** Returns npx and the shell that it started, or the parent where no list shows npx. */
function findNpx(processes: string, parent: number): readonly number[] {
  const lines = [...processes.matchAll(/^ *(\d+) +(\d+) (.*)$/gm)];
  const known = new Map(
    lines.map(([, pid, above, args = ""]) => [Number(pid), { above: Number(above), args }]),
  );
  let below = parent;
  for (let pid = parent, each = known.get(pid); pid > 0 && each !== undefined; each = known.get(pid)) {
    // An npx that has ended keeps its id until its parent notices, so the shell below it is watched, too.
    if (each.args.startsWith("npm ")) return [pid, below];
    below = pid;
    pid = each.above;
  }
  return [parent];
}

function isRunning(pid: number): boolean {
  try {
    getPriority(pid);
    return true;
  } catch (error) {
    return !(error as Error).message.includes("ESRCH");
  }
}
