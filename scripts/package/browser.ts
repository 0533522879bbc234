/**
 * Makes the bundle for web pages: one entry, and a few parts that it loads when they are first needed. No package stays
 * outside, so that any static file server can serve it. Rolldown makes it, because it puts the modules of a part into one
 * file, and writes 3 % less than esbuild, which would make a file for each set of modules that the same imports share.
 */
import { build, stop } from "esbuild";
import { dirname, relative, resolve } from "node:path";
import { type InputOptions, type OutputChunk, type Plugin, rolldown } from "rolldown";
import { portable } from "../bundle.ts";
import { browser, type Entry, msw } from "./entries.ts";
import { findInBrowser } from "./in_browser.ts";

/** A part of its own, so that a bundler leaves the server out of a page that only starts the worker. */
const startsWorker = /^src\/tools\/browser\/start_worker\.ts$/;

/**
 * What is loaded whole when one of these modules is first needed: what starts the service worker; what only says that a
 * page cannot do something, with the entry; the server of the service worker; the pages; the catalogue with the
 * examinations; what few programs need; the control plane of the service worker; the dashboard. What an earlier part has
 * is not in a later one.
 */
const parts: readonly (readonly [name: string, modules: RegExp])[] = [
  ["start", startsWorker],
  ["first", /^src\/.+\/(open_tls|dispatch|listening)_browser\.ts$/],
  ["server", /^src\/tools\/browser\/worker\/running_server\.ts$/],
  ["pages", /^src\/server\/pages\/mod\.ts$/],
  ["catalogue", /^src\/kit\/(mock\/(misbehaving\/entries|tokens\/faulty_tokens)\.ts$|examine\/)/],
  [
    "seldom",
    /^src\/(server\/features\/\w+\/loaded_late|ground\/http\/guarded_fetch|kit\/mock\/workloads\/workload)\.ts$/,
  ],
  ["control", /^src\/tools\/control\/control\.ts$/],
  ["dashboard", /^src\/(tools\/(?!browser)|kit\/mock\/journal\/html_timeline)/],
];

/** The options of every bundle for pages. */
export const pageOptions: InputOptions = {
  platform: "browser",
  tsconfig: false,
  // it warns of plugins that take long, which depends on the load of the machine
  checks: { bundlerTimings: false },
  transform: { target: "es2024", jsx: { runtime: "automatic", importSource: "preact" } },
};

/** Writes the bundle into the folder. */
export async function buildBrowser(folder: string, version: string): Promise<void> {
  for (const { fileName, code } of await bundleInParts(browser, version)) {
    const path = `${folder}/${fileName}`;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, code);
  }
}

/** Bundles an entry for browsers, and writes no file. */
export async function bundleInParts(
  { source, file }: Pick<Entry, "source" | "file">,
  version: string,
): Promise<readonly OutputChunk[]> {
  const partOf = new Map<string, string>();
  await using bundle = await rolldown({
    ...pageOptions,
    input: { [file]: resolve(source) },
    // a package that is not found would only be a warning
    onLog: (level, log, handle) => handle(log.code === "UNRESOLVED_IMPORT" ? "error" : level, log),
    // no module does work when it is imported
    treeshake: { propertyReadSideEffects: false, unknownGlobalSideEffects: false },
    plugins: [fetched(), forPages(version), inParts(partOf)],
  });
  const { output } = await bundle.generate({
    format: "esm",
    minify: true,
    comments: { legal: false, annotation: false, jsdoc: false },
    hashCharacters: "hex",
    chunkFileNames: `${file}/[name]-[hash].js`,
    codeSplitting: {
      groups: parts.map(([name], at) => ({
        name,
        priority: parts.length - at,
        test: (id) => partOf.get(id) === name,
      })),
    },
  });
  return output.filter((each) => each.type === "chunk");
}

/** Writes the handlers for MSW, as one file that Node runs, too. */
export async function buildMsw(folder: string): Promise<void> {
  const entryPoints = [{ in: msw.source, out: msw.file }];
  await build({ ...portable, platform: "neutral", entryPoints, outdir: folder, minify: true }).finally(stop);
}

/** Lets Deno fetch the packages that our modules import, because rolldown finds only those in `node_modules`. */
function fetched(): Plugin {
  return {
    name: "fetched",
    async resolveId(imported, importer = "node_modules") {
      const isPackage = /^[@a-z]/.test(imported) && !imported.startsWith("node:");
      if (isPackage && !importer.includes("node_modules")) await import(imported);
    },
  };
}

/** Loads what is imported as text, leaves only the version of deno.json, and takes the modules for web pages. */
export function forPages(version: string): Plugin {
  return {
    name: "for pages",
    resolveId(imported, importer) {
      return importer === undefined ? undefined : findInBrowser(imported, importer);
    },
    async load(id) {
      if (/[\\/]deno\.json$/.test(id)) return { code: JSON.stringify({ version }), moduleType: "json" };
      if (!/[\\/]static[\\/]|\.css$/.test(id)) return undefined;
      return { code: await Deno.readTextFile(id), moduleType: id.endsWith(".json") ? "json" : "text" };
    },
  };
}

const nameOf = (id: string): string => relative(".", id).replaceAll("\\", "/");

/** Notes the part of each module that is loaded together with others. */
function inParts(partOf: Map<string, string>): Plugin {
  return {
    name: "in parts",
    buildEnd() {
      const note = (id: string, name: string): void => {
        if (partOf.has(id)) return;
        partOf.set(id, name);
        for (const imported of this.getModuleInfo(id)?.importedIds ?? []) note(imported, name);
      };
      const infos = [...this.getModuleIds()].flatMap((id) => this.getModuleInfo(id) ?? []);
      for (const { id } of infos.filter(({ id }) => startsWorker.test(nameOf(id)))) note(id, "start");
      for (const { id } of infos.filter(({ isEntry }) => isEntry)) note(id, "first");
      const late = infos.filter(({ dynamicImporters }) => dynamicImporters.length > 0);
      for (const [name, modules] of parts) {
        for (const { id } of late) {
          if (modules.test(nameOf(id))) note(id, name);
        }
      }
    },
  };
}

if (import.meta.main) {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { readonly version: string };
  await buildBrowser(Deno.args[0]!, version);
  await buildMsw(Deno.args[0]!);
}
