/** Reads the sources of the repository. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import process from "node:process";
import type { Source } from "./rules.ts";

export function readSources(...folders: readonly string[]): readonly Source[] {
  const root = findRoot(process.cwd());
  return folders.flatMap((folder) => readFolder(root, folder));
}

function findRoot(folder: string): string {
  if (existsSync(join(folder, "deno.json"))) return folder;
  if (dirname(folder) === folder) throw new Error("Cannot find deno.json in the working directory or above");
  return findRoot(dirname(folder));
}

function readFolder(root: string, folder: string): Source[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = `${folder}/${entry.name}`;
    if (entry.isDirectory()) return readFolder(root, path);
    return /\.tsx?$/.test(path) ? [{ path, text: readFileSync(join(root, path), "utf8") }] : [];
  });
}
