/**
 * Makes the package's modules with esbuild: a few files instead of one for each source. One for each would make the
 * first login of a process 160 ms slower on Node 22, which then needs 260 ms instead of 100, and one for each folder
 * 15 ms. Many test runners start a process for each test file. The cost: the modules have no comments, and a stack
 * names the function and the bundle. Above the function, a comment in the bundle names the source. Spaces are left out.
 * Functions and classes keep their names, and what else is not seen from outside has a short one. The pragma in front of each
 * module tells Bun that there is nothing to transpile: without it, the first login of a new machine takes 30 % more.
 */
import { build, type BuildOptions, type Metafile, stop, transform } from "esbuild";
import { minifySync } from "rolldown/utils";
import { portable } from "../bundle.ts";
import { command, type Entry, folder } from "./entries.ts";
import { inFewFiles } from "./few_files.ts";
import { inShortLines } from "./short_lines.ts";
import { onlyVersion } from "./only_version.ts";

/** Resolves to the names of the packages that the modules import. */
export async function buildModules(
  built: readonly Pick<Entry, "source" | "file">[],
  { version }: { readonly version: string },
): Promise<readonly string[]> {
  const options = {
    ...portable,
    // with `node`, esbuild would choose the variant for Node of packages that have several
    platform: "neutral",
    entryPoints: built.map(({ file, source }) => ({ in: source, out: file })),
    outdir: folder,
    splitting: true,
    chunkNames: "chunks/[name]-[hash]",
    metafile: true,
    write: false,
  } as const satisfies BuildOptions;
  const first = await build({ ...options, plugins: [onlyVersion(version)] });
  const { metafile, outputFiles } = await build({
    ...options,
    plugins: [onlyVersion(version), inFewFiles(first.metafile)],
  });

  const names = nameChunks(metafile);
  const rename = (text: string) => text.replace(/\w+-[A-Z0-9]{8}\b/g, (name) => names.get(name) ?? name);
  await Deno.mkdir(`${folder}/chunks`);
  const texts = await Promise.all(outputFiles.map(({ text }) => compress(text))).finally(stop);
  for (const [at, { path }] of outputFiles.entries()) {
    const text = texts[at]!;
    const name = rename(path.replaceAll("\\", "/").replace(/^.*\/dist\/npm\//, ""));
    if (name === `${command.file}.js`) {
      await Deno.writeTextFile(`${folder}/${name}`, `#!/usr/bin/env node\n${rename(text)}`, { mode: 0o755 });
    } else {
      await Deno.writeTextFile(`${folder}/${name}`, `// @bun\n${rename(text)}`);
    }
  }
  return findPackages(metafile);
}

async function compress(text: string): Promise<string> {
  // both keep such a comment
  const named = text.replaceAll(/^\/\/ ((?:src|static)\/\S+)$/gm, "/*! $1 */");
  const { code } = await transform(named, {
    ...{
      minifySyntax: true,
      legalComments: "inline",
      format: "esm",
      target: portable.target!,
      charset: "utf8",
    },
  });
  const names = { function: true, class: true };
  const { code: short } = minifySync("chunk.js", code, {
    ...{ module: true, compress: false, mangle: { toplevel: true, keepNames: names } },
    codegen: { removeWhitespace: true, legalComments: "inline" },
  });
  return inShortLines(short);
}

/** Replaces esbuild's names by readable ones. If two chunks have the same name, the larger one keeps it. */
function nameChunks({ outputs }: Metafile): ReadonlyMap<string, string> {
  const names = new Map<string, string>();
  const taken = new Set<string>();
  const largestFirst = Object.entries(outputs).sort(([, left], [, right]) => right.bytes - left.bytes);
  for (const [path, output] of largestFirst) {
    const [, hashed] = /\/chunks\/(\w+-[A-Z0-9]{8})\.js$/.exec(path) ?? [];
    if (hashed === undefined) continue;
    const [short, long] = nameChunk(output);
    let name = taken.has(short) ? long : short;
    for (let count = 2; taken.has(name); count++) name = `${short}_${count}`;
    taken.add(name);
    names.set(hashed, name);
  }
  return names;
}

/** Names a chunk after its entry point, its only source, or the folder that most of its code comes from. */
function nameChunk(
  { entryPoint, inputs, exports }: Metafile["outputs"][string],
): readonly [short: string, long: string] {
  const sources = Object.keys(inputs);
  if (entryPoint === undefined && sources.length === 0) {
    // Every module would load the chunk with this code.
    throw new Error(
      `Node 20 does not have a syntax that src uses: esbuild adds code for it (${exports.join(", ")})`,
    );
  }
  // a chunk without code exports what another chunk has, for an import at run time
  const suffix = sources.length === 0 ? "_loader" : "";
  const only = entryPoint ?? (sources.length === 1 ? sources[0] : undefined);
  if (only !== undefined) {
    const words = nameSource(only);
    return [`${words.at(-1)}${suffix}`, `${words.join("_")}${suffix}`];
  }
  const share = (depth: number) =>
    Object.entries(inputs).map(([path, { bytesInOutput }]) =>
      [nameSource(path).slice(0, depth).join("_"), bytesInOutput] as const
    );
  return [findLargest(share(1)), findLargest(share(2))];
}

/** src/server/pages/mod.ts → pages; src/server/store/sql.ts → store, sql */
function nameSource(path: string): readonly string[] {
  const words = path.replace(/^src\/((server|kit|tools)\/)?/, "").replace(/\.tsx?$/, "").replace(/\/mod$/, "")
    .split("/");
  return words.map((word) => word.replaceAll(/\W/g, "_"));
}

function findLargest(shares: readonly (readonly [name: string, size: number])[]): string {
  const sizes = new Map<string, number>();
  for (const [name, size] of shares) sizes.set(name, (sizes.get(name) ?? 0) + size);
  return [...sizes].reduce((left, right) => right[1] > left[1] ? right : left)[0];
}

function findPackages({ outputs }: Metafile): readonly string[] {
  const paths = Object.values(outputs).flatMap(({ imports }) => imports)
    .filter(({ external, path }) => external && !path.startsWith("node:"))
    .map(({ path }) => path.split("/").slice(0, path.startsWith("@") ? 2 : 1).join("/"));
  return [...new Set(paths)].sort();
}
