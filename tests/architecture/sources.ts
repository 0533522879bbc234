/** Reads the sources of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Source } from "./rules.ts";

export function readSources(...folders: readonly string[]): readonly Source[] {
  const root = findRoot(process.cwd());
  return folders.flatMap((folder) => listFolder(root, folder))
    .filter((path) => /\.tsx?$/.test(path))
    .map((path) => ({ path, text: readFileSync(join(root, path), "utf8") }));
}

/** Lists the files of the root and of its folders, with all that they contain. */
export function listFiles(...folders: readonly string[]): readonly string[] {
  const root = findRoot(process.cwd());
  const beside = readdirSync(root, { withFileTypes: true }).flatMap((each) =>
    each.isFile() ? [each.name] : []
  );
  return [...beside, ...folders.flatMap((folder) => listFolder(root, folder))];
}

function findRoot(folder: string): string {
  if (existsSync(join(folder, "deno.json"))) return folder;
  if (dirname(folder) === folder) throw new Error("Cannot find deno.json in the working directory or above");
  return findRoot(dirname(folder));
}

function listFolder(root: string, folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    return entry.isDirectory() ? listFolder(root, path) : [path];
  });
}
