/** Finds the files that have changed since a commit, and the tests that import them. */
import { existsSync } from "node:fs";
import { dirname, join, normalize } from "node:path";

/** Returns the files of the working tree that differ from the commit. */
export function findChanged(commit: string): readonly string[] {
  const tracked = git("diff", "--name-only", "--relative", commit);
  const added = git("ls-files", "--others", "--exclude-standard");
  return [...tracked, ...added];
}

/** Returns the files of the checkout, or of a folder in it, that git does not ignore. */
export function listFiles(...folders: readonly string[]): readonly string[] {
  return git("ls-files", "--cached", "--others", "--exclude-standard", ...folders)
    .filter((file) => existsSync(file));
}

/** Returns the lines that git prints. */
export function git(...args: readonly string[]): readonly string[] {
  const { success, stdout, stderr } = new Deno.Command("git", { args: [...args] }).outputSync();
  const decoder = new TextDecoder();
  if (!success) throw new Error(`git ${args.join(" ")}: ${decoder.decode(stderr).trim()}`);
  return decoder.decode(stdout).split("\n").filter((line) => line !== "");
}

/** Returns the files that are changed or import a changed one, at any distance. */
export function findDependents(files: readonly string[], changed: readonly string[]): readonly string[] {
  const wanted = new Set(changed.map((file) => normalize(file)));
  const known = new Map<string, ReadonlySet<string>>();
  return files.filter((file) => [...collect(normalize(file), known)].some((path) => wanted.has(path)));
}

/** Returns the module and all modules that it imports, at any distance. */
function collect(path: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const found = new Set<string>();
  const open = [path];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (found.has(next)) continue;
    found.add(next);
    open.push(...listImports(next, known));
  }
  return found;
}

const relativeImport = /(?:from|import|import\(|new URL\()\s*"(\.{1,2}\/[^"]+)"/g;

/** Returns the modules that a module imports itself, at its start or later, and the programs that it starts. */
function listImports(path: string, known: Map<string, ReadonlySet<string>>): ReadonlySet<string> {
  const before = known.get(path);
  if (before !== undefined) return before;
  const found = new Set<string>();
  const source = readSource(path);
  for (const [, specifier = ""] of source.matchAll(relativeImport)) {
    found.add(normalize(join(dirname(path), specifier)));
  }
  known.set(path, found);
  return found;
}

// Some tests contain text that looks like an import of a file.
function readSource(path: string): string {
  try {
    return Deno.readTextFileSync(path);
  } catch {
    return "";
  }
}
