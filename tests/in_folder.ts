/** A folder for one test, which is removed even if the test fails. */

import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

export async function inFolder(work: (path: (name: string) => string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "postern_"));
  try {
    await work((name) => join(folder, name));
  } finally {
    await rm(folder, { recursive: true });
  }
}
