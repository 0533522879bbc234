/** Runs a program to its end. */

export interface Outcome {
  readonly success: boolean;
  /** The text of standard output, followed by that of standard error. */
  readonly output: string;
}

export async function runProgram(program: string, args: readonly string[]): Promise<Outcome> {
  const { success, stdout, stderr } = await new Deno.Command(program, {
    args: [...args],
    env: { NO_COLOR: "1" },
    stdin: "null",
  }).output();
  const decoder = new TextDecoder();
  return { success, output: decoder.decode(stdout) + decoder.decode(stderr) };
}

export async function runDeno(...args: readonly string[]): Promise<Outcome> {
  return await runProgram(Deno.execPath(), args);
}
