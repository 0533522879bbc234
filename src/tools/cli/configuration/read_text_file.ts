/** Reads a text file that a flag names. An error names the flag. */

import { readFile } from "node:fs/promises";
import { isAbsolute, resolve } from "node:path";
import { CommandError } from "../terminal/command_error.ts";
import { runsAsTask } from "../terminal/program.ts";

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
