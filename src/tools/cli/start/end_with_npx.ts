/** Ends a server with the npx that started it. npm and the shell between them do not pass every signal on. */

import { execFile } from "node:child_process";
import { getPriority } from "node:os";
import process from "node:process";
import { findRuntimeName } from "../../../server/runtime/runtime_name.ts";
import { runsAsTask } from "../terminal/program.ts";

// The task of deno.json allows Deno to run this program.
const listProcesses = "/bin/ps";

// In seconds.
const interval = 0.5;

export async function endWithNpx(end: () => void): Promise<void> {
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
