/** A copy of the sources without one feature's file and its lines in `features/mod.ts`. */

import { mkdir, rm, writeFile } from "node:fs/promises";
import { dirname, resolve } from "node:path";
import { pathToFileURL } from "node:url";
import { type Import, readImports } from "../architecture/rules.ts";
import { readSources } from "../architecture/sources.ts";

/** The exports of the copy. */
export interface Remaining {
  readonly createServer: typeof import("../../src/server/server.ts").createServer;
  readonly defaultFeatures: typeof import("../../src/features/mod.ts").defaultFeatures;
}

const entries = ["src/server/server.ts", "src/features/mod.ts"];
const texts = new Map(readSources("src").map(({ path, text }) => [path, text]));
const imports = [...texts].flatMap(([path, text]) => readImports({ path, text }))
  .filter(({ target, typesOnly }) => target !== undefined && !typesOnly);
const used = findAll(entries, Map.groupBy(imports, ({ path }) => path), ({ target }) => target!);

/** Loads the copy. It has only files that import the deleted one, directly or not, because the others are the same. */
export async function deleteFeature<T>(name: string, use: (remaining: Remaining) => Promise<T>): Promise<T> {
  const { deleted, edited } = deleteLines(name);
  const importing = findAll([deleted], Map.groupBy(imports, ({ target }) => target!), ({ path }) => path);
  // Always the same folder, because Deno caches compiled files by path.
  const folder = `dist/deleted_features/${name}`;
  try {
    for (const path of importing) {
      if (path === deleted || !used.has(path)) continue;
      const text = edited.get(path) ?? texts.get(path)!;
      await mkdir(dirname(`${folder}/${path}`), { recursive: true });
      await writeFile(`${folder}/${path}`, importOriginals(path, text, importing));
    }
    const load = (file: string) => import(pathToFileURL(`${folder}/${file}`).href);
    return await use(Object.assign({}, ...await Promise.all(entries.map(load))));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** All paths that the starts lead to, with the starts. */
function findAll(
  starts: readonly string[],
  byPath: ReadonlyMap<string, readonly Import[]>,
  next: (found: Import) => string,
): ReadonlySet<string> {
  const found = new Set(starts);
  // A set that grows goes on with what is added.
  for (const path of found) byPath.get(path)?.forEach((each) => found.add(next(each)));
  return found;
}

/** Replaces the paths of files that have no copy. */
function importOriginals(path: string, text: string, copied: ReadonlySet<string>): string {
  return readImports({ path, text })
    .filter(({ target }) => target !== undefined && !copied.has(target))
    .reduce(
      (some, { specifier, target }) =>
        some.replaceAll(`"${specifier}"`, `"${pathToFileURL(resolve(target!))}"`),
      text,
    );
}

function deleteLines(
  name: string,
): { readonly deleted: string; readonly edited: ReadonlyMap<string, string> } {
  const list = "src/features/mod.ts";
  const pattern = new RegExp(`^import \\{ (\\w+) \\} from "\\./((?:.+/)?${name}\\.ts)";$`, "m");
  const [, feature, file] = pattern.exec(texts.get(list)!) ?? [];
  const lines = texts.get(list)!.split("\n");
  const left = lines.filter((line) => !new RegExp(`^(import \\{|) *${feature}( \\}|,|\\()`).test(line));
  if (left.length !== lines.length - 3) throw new Error(`Expected three lines of ${feature} in ${list}`);
  return { deleted: `src/features/${file}`, edited: new Map([[list, left.join("\n")]]) };
}
