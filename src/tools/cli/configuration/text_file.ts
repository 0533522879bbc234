/** Reads text files that flags name, and writes files that do not exist yet. */

import { readFile, writeFile } from "node:fs/promises";
import { dirname, isAbsolute, resolve } from "node:path";
import { CommandError } from "../terminal/command_error.ts";
import { runsAsTask } from "../terminal/program.ts";

/** An error names the flag. */
export async function readTextFile(path: string, flag: string): Promise<string> {
  return await readFile(path, "utf8").catch((error: Error & { readonly code?: string }) => {
    throw new CommandError(`${flag}: ${describeCause(error, path)}`, { cause: error });
  });
}

function describeCause({ code, message }: Error & { readonly code?: string }, path: string): string {
  if (code === "EISDIR") return "this is a folder, and a file was expected";
  return code === "ENOENT" ? explainMissingFile(path) : message;
}

/** A task runs in the folder of its `deno.json`, and the user may be in the folder of another project. */
export function explainMissingFile(path: string, isTask: boolean = runsAsTask()): string {
  if (isAbsolute(path)) return "there is no such file";
  const advice = isTask ? ". deno task runs in Postern's folder: give the absolute path" : "";
  return `there is no file ${resolve(path)}${advice}`;
}

/** The usual name of a new configuration. Not .json, because editors report its comments as mistakes there. */
export const newConfigurationFile = "postern.jsonc";

/** `advice` is a sentence for the user whose file exists already. */
export async function writeNewFile(file: string, text: string, advice: string, mode = 0o666): Promise<void> {
  try {
    await writeFile(file, text, { flag: "wx", mode });
  } catch (error) {
    const { code, message } = error as Error & { readonly code?: string };
    const problem = code === "EEXIST"
      ? `exists already, and stays as it is. ${advice}`
      : code === "ENOENT"
      ? `cannot be written: there is no folder ${dirname(file)}`
      : `cannot be written: ${message}`;
    throw new CommandError(`${file} ${problem}`, { cause: error });
  }
}
