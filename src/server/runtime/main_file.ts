/** The file that the process runs. */

import process from "node:process";

/** In `bun test`, which runs all files in one process, this is the file of the test that runs. */
export function findMainFile(): string | undefined {
  const { Bun } = globalThis as { readonly Bun?: { readonly main: string } };
  return Bun?.main ?? process.argv[1];
}
