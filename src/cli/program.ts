/** Finds how the user started this program, so that a message can name a command to type. */

import process from "node:process";

/** Returns `deno task` for the sources, `postern` for the package and the executable. */
export function nameProgram(entry: string = process.argv[1] ?? ""): string {
  return /[\\/]src[\\/]cli[\\/]main\.ts$/.test(entry) ? "deno task" : "postern";
}
