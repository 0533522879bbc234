/** A copy of the sources without one feature: its file, its import and its line in `features/mod.ts` are deleted. */

import { cp, readFile, rm, writeFile } from "node:fs/promises";
import { pathToFileURL } from "node:url";

/** What the copy exports. */
export interface Remaining {
  readonly createServer: typeof import("../../src/server.ts").createServer;
  readonly defaultFeatures: typeof import("../../src/features/mod.ts").defaultFeatures;
}

export async function deleteFeature<T>(name: string, use: (remaining: Remaining) => Promise<T>): Promise<T> {
  // Not a new folder each time: Deno keeps what it compiles of every path.
  const folder = `dist/deleted_features/${name}`;
  try {
    for (const part of ["src", "static", "deno.json"]) {
      await cp(part, `${folder}/${part}`, { recursive: true });
    }
    await deleteFile(`${folder}/src/features`, name);
    const load = (file: string) => import(pathToFileURL(`${folder}/src/${file}`).href);
    return await use({ ...await load("server.ts"), ...await load("features/mod.ts") });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function deleteFile(folder: string, name: string): Promise<void> {
  const list = `${folder}/mod.ts`;
  const lines = (await readFile(list, "utf8")).split("\n");
  const imports = lines.map((line) => /^import \{ (\w+) \} from "\.\/(.+)";$/.exec(line));
  const [imported, feature, path] = imports.find((found) => `/${found?.[2]}`.endsWith(`/${name}.ts`)) ?? [];
  const left = lines.filter((line) => line !== imported && !new RegExp(`\\b${feature}\\(`).test(line));
  if (left.length !== lines.length - 2) {
    throw new Error(`Expected one import and one line of ${name} in ${list}`);
  }
  await rm(`${folder}/${path}`);
  await writeFile(list, left.join("\n"));
}
