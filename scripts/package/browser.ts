/**
 * Makes the bundle for web pages: one entry, and a few parts that it loads when they are first needed. No package stays
 * outside, so that any static file server can serve it.
 */
import { build, type BuildOptions, type BuildResult, type Metafile, type Plugin, stop } from "esbuild";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { portable } from "../bundle.ts";
import { browser, type Entry, msw } from "./entries.ts";
import { addImports, findLoaded, importAll } from "./few_files.ts";
import { onlyVersion } from "./only_version.ts";

/**
 * What is loaded whole when one part of it is first needed: the pages, the catalogue with the examinations, what few
 * programs need, and the dashboard.
 */
const lateSets = [
  /^src\/server\/pages\/mod\.ts$/,
  /^src\/kit\/(mock\/misbehaving\/entries\.ts$|examine\/)/,
  /^src\/(server\/features\/\w+\/steps|kit\/mock\/workloads\/workload)\.ts$/,
  /^src\/(tools\/(?!browser)|kit\/mock\/journal\/html_timeline)/,
];

type Bundled = BuildResult<{ metafile: true; write: false }>;

/** Writes the bundle into the folder. Resolves to what esbuild tells of it. */
export async function buildBrowser(folder: string, version: string): Promise<Metafile> {
  const { metafile, outputFiles } = await bundleInParts(browser, folder, version);
  for (const { path, contents } of outputFiles) {
    await Deno.mkdir(path.replace(/[^\\/]*$/, ""), { recursive: true });
    await Deno.writeFile(path, contents);
  }
  return metafile;
}

/** Bundles an entry for browsers, as files that stand in the folder, and writes none. */
export async function bundleInParts(
  { source, file }: Pick<Entry, "source" | "file">,
  folder: string,
  version: string,
): Promise<Bundled> {
  const options = {
    ...portable,
    platform: "browser",
    target: "es2024",
    packages: "bundle",
    external: [],
    entryPoints: [{ in: source, out: file }],
    outdir: folder,
    splitting: true,
    chunkNames: `${file}/[name]-[hash]`,
    minify: true,
    metafile: true,
    legalComments: "none",
    charset: "utf8",
    write: false,
  } as const satisfies BuildOptions;
  const plugins = [onlyVersion(version), inBrowser(), fetched()];
  const { metafile } = await build({ ...options, plugins });
  return await build({ ...options, plugins: [inFewParts(source, metafile), ...plugins] }).finally(stop);
}

/** Writes the handlers for MSW, as one file that Node runs, too. */
export async function buildMsw(folder: string): Promise<void> {
  const entryPoints = [{ in: msw.source, out: msw.file }];
  await build({ ...portable, platform: "neutral", entryPoints, outdir: folder, minify: true }).finally(stop);
}

/** Takes `x_browser.ts` instead of each `x.ts` beside which it is. */
export function inBrowser(): Plugin {
  return {
    name: "in browser",
    setup({ onResolve }): void {
      onResolve({ filter: /\.ts$/ }, ({ path, resolveDir, kind }) => {
        const other = resolve(resolveDir, path.replace(/\.ts$/, "_browser.ts"));
        return kind !== "entry-point" && existsSync(other) ? { path: other } : undefined;
      });
    },
  };
}

/** Lets Deno fetch each package that a source imports, because esbuild finds only those in `node_modules`. */
function fetched(): Plugin {
  return {
    name: "fetched",
    setup({ onResolve }): void {
      onResolve({ filter: /^[@a-z]/ }, async ({ path, kind, resolveDir }) => {
        const isOfSource = kind !== "entry-point" && !resolveDir.includes("node_modules");
        if (isOfSource && !path.startsWith("node:")) await import(path);
        return undefined;
      });
    },
  };
}

/** esbuild would make a file for each set of modules that the same late imports share. */
function inFewParts(entry: string, { inputs, outputs }: Metafile): Plugin {
  const late = Object.values(outputs).map(({ entryPoint = "" }) => entryPoint)
    .filter((path) => /\.tsx?$/.test(path) && path !== entry);
  const first = findLoaded(entry, inputs);
  const taken = new Set(first);
  const sets = lateSets.map((pattern) => {
    const roots = late.filter((path) => pattern.test(path));
    const loaded = roots.flatMap((path) => [...findLoaded(path, inputs)]);
    const set = new Set(loaded.filter((path) => !taken.has(path)));
    set.forEach((path) => taken.add(path));
    return set;
  });
  return addImports(
    new Map(late.map((path) => {
      const loaded = findLoaded(path, inputs);
      const shared = sets.filter((set) => [...loaded].some((each) => set.has(each)));
      return [resolve(path), importAll([...first, ...shared.flatMap((set) => [...set])])];
    })),
  );
}

if (import.meta.main) {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { readonly version: string };
  await buildBrowser(Deno.args[0]!, version);
  await buildMsw(Deno.args[0]!);
}
