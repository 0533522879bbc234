/** Writes a file that does not exist yet. */

import { writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { CommandError } from "../terminal/command_error.ts";

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
