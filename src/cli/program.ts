/** How the user started this program, so that a message can name a command to type. */

import process from "node:process";

/** From the sources it is a task of deno.json. The program of the package and the executable are called postern. */
export function nameProgram(entry: string = process.argv[1] ?? ""): string {
  return /[\\/]src[\\/]cli[\\/]main\.ts$/.test(entry) ? "deno task" : "postern";
}
