/** Runs a program to its end, or reads the lines that it prints. */
import { createInterface } from "node:readline";
import { Readable } from "node:stream";

export interface Outcome {
  readonly success: boolean;
  /** The text of standard output, followed by that of standard error. */
  readonly output: string;
}

export async function runProgram(
  program: string,
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
  cwd: string = ".",
): Promise<Outcome> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    cwd,
    env: { NO_COLOR: "1", ...env },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

export async function runDeno(...args: readonly string[]): Promise<Outcome> {
  return await runProgram(Deno.execPath(), args);
}

/** Returns the lines of the standard output or the standard error of a program. */
export function readLines(stream: ReadableStream<Uint8Array>): AsyncIterable<string> {
  return createInterface({ input: Readable.from(stream), crlfDelay: Infinity });
}
