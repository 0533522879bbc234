/** Reads a text file that a flag names. An error names the flag. */

import { readFile } from "node:fs/promises";
import { CommandError } from "./command_error.ts";

const reasons: ReadonlyMap<string | undefined, string> = new Map([
  ["ENOENT", "there is no such file"],
  ["EISDIR", "this is a folder, and a file was expected"],
]);

export async function readTextFile(path: string, flag: string): Promise<string> {
  return await readFile(path, "utf8").catch((error: Error & { readonly code?: string }) => {
    const reason = reasons.get(error.code) ?? error.message;
    throw new CommandError(`${flag}: ${reason}`, 2, { cause: error });
  });
}
