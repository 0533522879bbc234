/** A copy of the sources without one feature's file and its lines in `features/files.ts` and `features/mod.ts`. */

import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** The exports of the copy. */
export interface Remaining {
  readonly createServer: typeof import("../../src/server/server.ts").createServer;
  readonly defaultFeatures: typeof import("../../src/features/mod.ts").defaultFeatures;
}

export async function deleteFeature<T>(name: string, use: (remaining: Remaining) => Promise<T>): Promise<T> {
  // Always the same folder, because Deno caches compiled files by path.
  const folder = `dist/deleted_features/${name}`;
  try {
    for (const part of ["src", "static", "deno.json"]) {
      await cp(part, `${folder}/${part}`, { recursive: true });
    }
    await deleteFile(`${folder}/src/features`, name);
    const load = (file: string) => import(pathToFileURL(`${folder}/src/${file}`).href);
    return await use({ ...await load("server/server.ts"), ...await load("features/mod.ts") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function deleteFile(folder: string, name: string): Promise<void> {
  const exports = await readFile(`${folder}/files.ts`, "utf8");
  const pattern = new RegExp(`^export \\{ (\\w+) \\} from "\\./((?:.+/)?${name}\\.ts)";$`, "m");
  const [, feature, path] = pattern.exec(exports) ?? [];
  await deleteLine(`${folder}/files.ts`, pattern);
  await deleteLine(`${folder}/mod.ts`, new RegExp(`\\bfeatures\\.${feature}\\(`));
  await rm(`${folder}/${path}`);
}

async function deleteLine(path: string, pattern: RegExp): Promise<void> {
  const lines = (await readFile(path, "utf8")).split("\n");
  const left = lines.filter((line) => !pattern.test(line));
  if (left.length !== lines.length - 1) throw new Error(`Expected one line of ${pattern} in ${path}`);
  await writeFile(path, left.join("\n"));
}
