/**
 * Makes the modules for web pages and the service worker. Both need nearly the same code, so they share its parts: a part is
 * a script in `postern-worker/`, which a page imports as a module, and the worker as the script that it is. No package stays
 * outside, so that any static file server can serve them. Rolldown makes them, because it puts the modules of a part into
 * one file, and writes 3 % less than esbuild, which would make a file for each set of modules that the same imports share.
 */
import { build, stop } from "esbuild";
import { dirname, relative, resolve } from "node:path";
import { type InputOptions, type OutputChunk, type Plugin, rolldown } from "rolldown";
import { portable } from "../bundle.ts";
import { browser, msw, worker } from "./entries.ts";
import { readNotices } from "../notices.ts";
import { findInBrowser } from "./in_browser.ts";
import { type BrowserFiles, writeScripts } from "./scripts.ts";

/** A part of its own, so that a bundler leaves the server out of a page that only starts the worker. */
const startsWorker = /^src\/tools\/browser\/start_worker\.ts$/;

/**
 * What is loaded whole when one of these modules is first needed: what only says that a page cannot do something, with the
 * entry; the server of the service worker; the pages; the catalogue with the examinations, the windows and what few
 * programs need; the control plane of the service worker; the dashboard. What an earlier part has is not in a later one.
 */
const parts: readonly (readonly [name: string, modules: RegExp])[] = [
  ["first", /^src\/.+\/(open_tls|dispatch)_browser\.ts$/],
  ["server", /^src\/tools\/browser\/worker\/answer_fetch\.ts$/],
  ["pages", /^src\/server\/pages\/mod\.ts$/],
  [
    "catalogue",
    /^src\/(kit\/(mock\/(misbehaving\/entries|tokens\/faulty_tokens)\.ts$|examine\/)|tools\/browser\/show_pages)/,
  ],
  [
    "catalogue",
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

/** Writes the modules for pages, the service worker, the parts of both and the licences in them into the folder. */
export async function buildBrowser(folder: string, version: string): Promise<void> {
  const { page, worker, modules } = await makeBrowserFiles(version);
  const notices = await readNotices(modules);
  for (const [name, text] of new Map([...page, ...worker, ["THIRD_PARTY_NOTICES", notices]])) {
    const path = `${folder}/${name}`;
    await Deno.mkdir(dirname(path), { recursive: true });
    await Deno.writeTextFile(path, text);
  }
}

/** Resolves to the texts of the files, by their paths, and to the paths of the modules that they are made from. */
export async function makeBrowserFiles(
  version: string,
): Promise<BrowserFiles & { readonly modules: readonly string[] }> {
  const partOf = new Map<string, string>();
  await using bundle = await rolldown({
    ...pageOptions,
    input: Object.fromEntries([browser, worker].map(({ file, source }) => [file, resolve(source)])),
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
    chunkFileNames: "[name].js",
    codeSplitting: { groups: listGroups(partOf) },
  });
  const chunks = output.filter((each): each is OutputChunk => each.type === "chunk");
  return { ...writeScripts(chunks, version), modules: chunks.flatMap(({ moduleIds }) => moduleIds) };
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

/** When a page and the worker load a module. */
type Times = Partial<Record<"page" | "worker", string>>;

const times: readonly string[] = ["start", ...new Set(parts.map(([name]) => name))];

/**
 * Names the part of a module. Both load a common module at the earlier time of the two, except before the server of the
 * worker. What the control plane and the dashboard have in common comes with the catalogue, which both need.
 */
function namePart({ page, worker }: Times): string {
  if (worker === undefined) return `page_${page}`;
  if (page === undefined) return `worker_${worker}`;
  if (worker === "first") return worker;
  const inWorker = worker === "control" ? "catalogue" : worker;
  return times[Math.max(times.indexOf("server"), Math.min(times.indexOf(page), times.indexOf(inWorker)))]!;
}

/** A group also takes the modules that its own import, so that those which others import have a higher priority. */
function listGroups(
  partOf: ReadonlyMap<string, string>,
): { name: string; priority: number; test: (id: string) => boolean }[] {
  const names = ["", "page_", "worker_"].flatMap((prefix) => times.map((time) => prefix + time));
  return names.map((name, at) => ({
    name,
    priority: names.length - at,
    test: (id) => partOf.get(id) === name,
  }));
}

/** Notes the part of each module: a part has those that are loaded together in a page, and in the worker, too. */
function inParts(partOf: Map<string, string>): Plugin {
  return {
    name: "in parts",
    buildEnd() {
      const imports = new Map([...this.getModuleIds()].map((id) => {
        const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
        return [id, { importedIds, dynamicallyImportedIds }];
      }));
      const loaded = new Map<string, Times>();
      for (const [user, { source }] of [["page", browser], ["worker", worker]] as const) {
        const note = (id: string, time: string): void => {
          const known = loaded.get(id) ?? {};
          if (known[user] !== undefined) return;
          loaded.set(id, { ...known, [user]: time });
          for (const imported of imports.get(id)?.importedIds ?? []) note(imported, time);
        };
        const reached = findReached(resolve(source), imports);
        for (const id of reached) if (startsWorker.test(pathOf(id))) note(id, "start");
        note(resolve(source), "first");
        const late = new Set(reached.flatMap((id) => imports.get(id)?.dynamicallyImportedIds ?? []));
        for (const [name, modules] of parts) {
          for (const id of late) if (modules.test(pathOf(id))) note(id, name);
        }
      }
      for (const [id, of] of loaded) partOf.set(id, namePart(of));
    },
  };
}

type Imports = ReadonlyMap<
  string,
  { readonly importedIds: readonly string[]; readonly dynamicallyImportedIds: readonly string[] }
>;

function findReached(entry: string, imports: Imports): readonly string[] {
  const reached = new Set([entry]);
  for (const id of reached) {
    const { importedIds = [], dynamicallyImportedIds = [] } = imports.get(id) ?? {};
    for (const each of [...importedIds, ...dynamicallyImportedIds]) reached.add(each);
  }
  return [...reached];
}

const pathOf = (id: string): string => relative(".", id).replaceAll("\\", "/");

if (import.meta.main) {
  const { version } = JSON.parse(await Deno.readTextFile("deno.json")) as { readonly version: string };
  await buildBrowser(Deno.args[0]!, version);
  await buildMsw(Deno.args[0]!);
}
