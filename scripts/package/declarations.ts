/** Makes the package's declarations with TypeScript: those of the entries, and those that they import. */
import { readdir } from "node:fs/promises";
import { asBuilder } from "../runtimes.ts";
import { type Entry, folder } from "./entries.ts";

const types = `${folder}/types`;
const relativeImport = /(?:\bfrom |\bimport\(|^import )"(\.[^"]+\.tsx?)"/gm;

/**
 * The first line of each entry's declaration. Without it, a project whose `target` or `lib` is older than ES2026 has no
 * type `Disposable`. The sources cannot have it, because JSR refuses such a line.
 */
const disposableTypes = '/// <reference lib="esnext.disposable" />\n';

/** Returns the path of a source's declaration. Both start at the root of the checkout. */
export function declarationOf(source: string): string {
  return source.replace(/^src\//, `${types}/`).replace(/\.tsx?$/, ".d.ts");
}

export async function buildDeclarations(entries: readonly Entry[]): Promise<void> {
  await compile(entries.map(({ source }) => source));
  const needed = new Set<string>();
  for (const { source } of entries) await collect(declarationOf(source), needed);

  for (const file of await readdir(types, { recursive: true })) {
    const path = `${types}/${file.replaceAll("\\", "/")}`;
    if (!path.endsWith(".ts")) continue;
    if (!needed.has(path)) {
      await Deno.remove(path);
    } else {
      const text = await Deno.readTextFile(path);
      const entry = entries.find(({ source }) => declarationOf(source) === path);
      const reference = entry === undefined ? "" : disposableTypes;
      await Deno.writeTextFile(
        path,
        reference + text.replace(relativeImport, (whole) => whole.replace(/\.tsx?"$/, '.js"')) +
          (entry?.augmentation ?? ""),
      );
    }
  }
  await removeEmptyFolders(types);
}

async function compile(files: readonly string[]): Promise<void> {
  const project = await Deno.makeTempFile({ dir: "dist", suffix: ".json" });
  const compilerOptions = {
    ...{ target: "esnext", module: "esnext", moduleResolution: "bundler", jsx: "react-jsx" },
    ...{ declaration: true, emitDeclarationOnly: true, isolatedDeclarations: true },
    // not checked here, because this compiler does not know Deno's types; `deno check` does that
    ...{ noCheck: true, skipLibCheck: true, types: [], allowImportingTsExtensions: true },
    ...{ rootDir: "../src", outDir: `../${types}` },
  };
  const { imports } = JSON.parse(await Deno.readTextFile("dev.json")) as {
    readonly imports: Readonly<Record<string, string>>;
  };
  try {
    await Deno.writeTextFile(
      project,
      JSON.stringify({ compilerOptions, files: files.map((file) => `../${file}`) }),
    );
    const { success } = await new Deno.Command(Deno.execPath(), {
      args: ["run", ...asBuilder, "--allow-all", `${imports["typescript"]}/tsc`, "--project", project],
      stdout: "inherit",
      stderr: "inherit",
    }).output();
    if (!success) throw new Error("Cannot make declarations");
  } finally {
    await Deno.remove(project);
  }
}

/** Adds a declaration and those that it imports, directly or not, to `needed`. */
async function collect(path: string, needed: Set<string>): Promise<void> {
  if (needed.has(path)) return;
  needed.add(path);
  for (const [, specifier = ""] of (await Deno.readTextFile(path)).matchAll(relativeImport)) {
    const imported = new URL(specifier.replace(/\.tsx?$/, ".d.ts"), `file:///${path}`);
    await collect(imported.pathname.slice(1), needed);
  }
}

async function removeEmptyFolders(path: string): Promise<void> {
  for (const { name, isDirectory } of [...Deno.readDirSync(path)]) {
    if (isDirectory) await removeEmptyFolders(`${path}/${name}`);
  }
  if ([...Deno.readDirSync(path)].length === 0) await Deno.remove(path);
}
