/** Runs the user's test command once. */

import { spawn } from "node:child_process";
import process from "node:process";
import { present } from "../../../ground/values/present.ts";
import { findTellingLine, readOutput } from "./read_output.ts";

interface CommandRun {
  /** Which variables the command gets in addition to those of this process. */
  readonly env: Readonly<Record<string, string>>;
  /** When it is aborted, the command and all programs that it started are ended. */
  readonly signal: AbortSignal;
}

export interface CommandEnd {
  /** That of its application, if its output names one. */
  readonly account?: string;
}

// In characters. The last lines of a test runner say what failed.
const mostOutput = 20_000;
const mostLines = 12;
// In seconds, between the request to end and the end by force.
const patience = 2;

/**
 * Resolves if the exit code is 0, with the account that a line of its output names ("account: ID"). Rejects for any
 * other code, which counts as a refusal, with the line that says most and the last lines of the output.
 * Rejects with an error that counts as nothing if the command does not start, or is ended by a signal.
 */
export function runCommand(
  [program = "", ...args]: readonly string[],
  { env, signal }: CommandRun,
): Promise<CommandEnd> {
  return new Promise((resolve, reject) => {
    // A group of its own, so that the programs which the command starts can be ended with it.
    const child = spawn(program, args, {
      env: { ...process.env, ...env },
      stdio: ["ignore", "pipe", "pipe"],
      detached: process.platform !== "win32",
    });
    let output = "";
    const keep = (text: string) => output = (output + text).slice(-mostOutput);
    for (const stream of [child.stdout, child.stderr]) stream?.setEncoding("utf8").on("data", keep);
    const end = () => endGroup(child.pid);
    signal.addEventListener("abort", end, { once: true });
    child.once("error", (error) => {
      signal.removeEventListener("abort", end);
      reject(error);
    });
    child.once("close", (code, ended) => {
      signal.removeEventListener("abort", end);
      if (code === 0) resolve(present({ account: /^account: (\S+)$/m.exec(output)?.[1] }));
      else reject(code === null ? createNothing(ended) : createRefusal(code, output));
    });
  });
}

function createRefusal(code: number, output: string): Error {
  const lines = readOutput(output);
  const message = lines.length > 0
    ? [findTellingLine(lines), "The last lines of its output:", ...lines.slice(-mostLines)].join("\n")
    : output.trim() === ""
    ? "no output"
    : "its output names no error";
  return Object.assign(new Error(message), { name: `exit code ${code}` });
}

/** A code as that of a network error, because a command that was ended has not refused. */
function createNothing(signal: string | null): Error {
  return Object.assign(new Error(`the command was ended by ${signal}`), { code: "ESIGNAL" });
}

function endGroup(pid: number | undefined): void {
  if (pid === undefined) return;
  kill(pid, "SIGTERM");
  setTimeout(() => kill(pid, "SIGKILL"), patience * 1000).unref();
}

function kill(pid: number, signal: "SIGTERM" | "SIGKILL"): void {
  try {
    process.kill(process.platform === "win32" ? pid : -pid, signal);
  } catch {
    // The command has ended by itself.
  }
}
