/** Finds how the user started this program, so that a message can name a command to type. */

import process from "node:process";

/**
 * Returns `deno task` for the sources, `npx postern` for the package of a project, whose command is not on the PATH, and
 * `postern` for an installed package and the executable.
 */
export function nameProgram(entry: string = process.argv[1] ?? ""): string {
  if (/[\\/]src[\\/]cli[\\/]main\.ts$/.test(entry)) return "deno task";
  return /[\\/]node_modules[\\/]\.bin[\\/]/.test(entry) ? "npx postern" : "postern";
}
