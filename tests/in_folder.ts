/** A folder for one test, which is removed even if the test fails. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** Names a path in the folder. */
type Folder = ((name: string) => string) & AsyncDisposable;

/** `await using path = await createFolder()` removes the folder at the end of the block. */
export async function createFolder(): Promise<Folder> {
  const folder = await mkdtemp(join(tmpdir(), "postern_"));
  return Object.assign((name: string) => join(folder, name), {
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  });
}

export async function inFolder(work: (path: Folder) => Promise<void>): Promise<void> {
  await using path = await createFolder();
  await work(path);
}
