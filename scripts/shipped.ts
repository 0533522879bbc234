/** Checks both packages: the one for JSR by a dry run of its publication, the one for npm by publint and attw. */
import { fileURLToPath } from "node:url";
import { type Outcome, runDeno } from "./run_program.ts";
import { asDeveloper } from "./runtimes.ts";

/** Published, although no module imports them. */
const documents = ["LICENSE", "README.md", "static/configuration.schema.json"];

/** The command line is published, although no export leads to it. */
const command = "src/tools/cli/main.ts";

/** Checks that JSR accepts the package without an unexpected warning, and that it has all imported files and no others. */
export async function checkPublication(): Promise<Outcome> {
  const { success, output } = await runDeno("publish", "--dry-run", "--allow-dirty");
  if (!success || listWarnings(output).some((each) => !isExpected(each))) return { success: false, output };

  const { exports } = await readJson<{ exports: Readonly<Record<string, string>> }>("deno.json");
  const needed = new Set([...documents, ...await findModules([...Object.values(exports), command])]);
  const published = new Set([...output.matchAll(/^ +(file:\S+) \(/gm)].map(([, url = ""]) => pathOf(url)));
  const faults = [
    ...[...published.difference(needed)].map((path) => `Published, but not imported: ${path}`),
    ...[...needed.difference(published)].map((path) => `Imported, but not published: ${path}`),
  ];
  return { success: faults.length === 0, output: faults.join("\n") };
}

/** Returns each warning with the place that it names. */
function listWarnings(output: string): readonly string[] {
  return [...output.matchAll(/^warning.*(?:\n +-->.*)?/gm)].map(([warning]) => warning);
}

/** Whether this warning is about the one import whose specifier is a variable on purpose. */
function isExpected(warning: string): boolean {
  return /^warning\[unanalyzable-dynamic-import\].*\n +--> .*\/src\/ground\/values\/library\.ts:/.test(
    warning,
  );
}

/** Checks that the npm package builds, and that resolvers find its modules and their types. */
export async function checkNpmPackage(): Promise<Outcome> {
  const { version } = await readJson<{ version: string }>("deno.json");
  const { imports } = await readJson<{ imports: Readonly<Record<string, string>> }>("dev.json");
  const packed = `dist/postern-${version}.tgz`;
  const program = (name: string) => ["run", ...asDeveloper, "--allow-all", name];
  const commands = [
    program("scripts/build.ts"),
    [...program(`${imports["publint"]}`), packed, "--strict"],
    // the package has ES modules only, so `require` and old resolvers are not checked
    [...program(`${imports["@arethetypeswrong/cli"]}/attw`), packed, "--profile", "esm-only"],
  ];
  for (const args of commands) {
    const { success, output } = await runDeno(...args);
    if (!success) return { success, output };
  }
  return { success: true, output: "" };
}

/** Finds the modules of this project that the entries import, directly or not. */
async function findModules(entries: readonly string[]): Promise<Set<string>> {
  const paths = new Set<string>();
  for (const entry of entries) {
    const { output } = await runDeno("info", "--json", entry);
    const { modules } = JSON.parse(output) as { readonly modules: readonly { readonly specifier: string }[] };
    for (const { specifier } of modules) if (specifier.startsWith("file:")) paths.add(pathOf(specifier));
  }
  return paths;
}

/** Returns the path from the root of the repository, with slashes. */
function pathOf(url: string): string {
  return fileURLToPath(url).slice(Deno.cwd().length + 1).replaceAll("\\", "/");
}

async function readJson<T>(file: string): Promise<T> {
  return JSON.parse(await Deno.readTextFile(file)) as T;
}
