/** The files of the site, as its script makes them. */

import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { runDeno } from "../scripts/run_program.ts";
import { asDeveloper } from "../scripts/runtimes.ts";
import { inFolder } from "./in_folder.ts";

/** By their paths below the root of the site. */
export type MadeSite = ReadonlyMap<string, Uint8Array>;

/** A process of its own makes them, because a bundler in this process would end in the middle of another test. */
export async function makeSiteFiles(): Promise<MadeSite> {
  const files = new Map<string, Uint8Array>();
  await inFolder(async (pathOf) => {
    const folder = pathOf("site");
    const { success, output } = await runDeno(
      "run",
      ...asDeveloper,
      "--allow-all",
      "scripts/site.ts",
      folder,
    );
    if (!success) throw new Error(output);
    for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
      const path = join(entry.parentPath, entry.name);
      if (entry.isFile()) {
        files.set(path.slice(folder.length + 1).replaceAll("\\", "/"), await readFile(path));
      }
    }
  });
  return files;
}
