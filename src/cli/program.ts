/** How this program was started: whatever a message names can be typed again. */

import process from "node:process";

/** From the sources, a task of deno.json. Else the program that the package brings, and the executable. */
export function nameProgram(entry: string = process.argv[1] ?? ""): string {
  return /[\\/]src[\\/]cli[\\/]main\.ts$/.test(entry) ? "deno task" : "postern";
}
