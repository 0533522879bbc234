/**
 * `bundle_for_chromium.ts FOLDER FILES`: bundles test files for Chromium. `chromium.js` in the folder has those that can run
 * in a page, and `chromium.json` says why the others cannot: they reach a module that a page does not have.
 */
import { isBuiltin } from "node:module";
import { relative, resolve } from "node:path";
import { type Plugin, rolldown } from "rolldown";
import { findAssertions } from "../bundle.ts";
import { forPages, pageOptions } from "../package/browser.ts";
import { findReason, type Graph, pageLacks } from "./page_lacks.ts";

const entry = "all files", entering = "enter ";

const [folder = "", ...files] = Deno.args;
const assertions = await findAssertions(folder);
const graph = await readGraph(files);
const reasons = new Map(files.map((file) => [file, findReason(file, graph)]));
const runnable = files.filter((file) => reasons.get(file) === undefined);
await Deno.writeTextFile(`${folder}/chromium.json`, JSON.stringify(Object.fromEntries(reasons)));
await Deno.writeTextFile(`${folder}/chromium.js`, await bundle(runnable));

/** Takes the modules for pages, and the public API for pages in place of the others. */
function forCases(): Plugin {
  const publicApis = ["src/mod.ts", "src/kit/mod.ts"].map((path) => resolve(path));
  return {
    name: "for cases",
    resolveId(imported, importer) {
      if (imported === "@std/assert") return assertions;
      if (importer === undefined || !imported.endsWith(".ts")) return undefined;
      return publicApis.includes(resolve(importer, "..", imported))
        ? resolve("src/tools/browser/mod.ts")
        : undefined;
    },
  };
}

async function readGraph(files: readonly string[]): Promise<Graph> {
  const graph = new Map<string, readonly string[]>();
  await using scanned = await rolldown({
    ...pageOptions,
    input: files.map((file) => resolve(file)),
    onLog: () => {},
    shimMissingExports: true,
    plugins: [forCases(), asExternal(), forPages("0"), {
      name: "read graph",
      buildEnd() {
        for (const id of this.getModuleIds()) {
          const { importedIds = [], dynamicallyImportedIds = [] } = this.getModuleInfo(id) ?? {};
          graph.set(pathOf(id), [...importedIds, ...dynamicallyImportedIds].map(pathOf));
        }
      },
    }],
  });
  await scanned.generate();
  return graph;
}

/** Nothing behind a module that a page does not have is of interest. */
function asExternal(): Plugin {
  return {
    name: "as external",
    resolveId(imported, importer = ".") {
      if (isBuiltin(imported)) return { id: imported, external: true };
      const path = relative(".", resolve(importer, "..", imported));
      return imported.startsWith(".") && pageLacks.some(([modules]) => modules.test(path))
        ? { id: path, external: true }
        : undefined;
    },
  };
}

function pathOf(id: string): string {
  return id.startsWith("/") ? relative(".", id).replaceAll("\\", "/") : id.replace(/^node:/, "");
}

/** Bundles files as one script. It is a classic one, because a service worker takes no module that awaits at its top. */
async function bundle(files: readonly string[]): Promise<string> {
  await using bundled = await rolldown({
    ...pageOptions,
    input: { cases: entry },
    onLog: (level, log, handle) => handle(log.code === "UNRESOLVED_IMPORT" ? "error" : level, log),
    plugins: [fileByFile(files), forCases(), forPages("0")],
  });
  const { output } = await bundled.generate({ format: "esm", codeSplitting: false });
  return `var posternReady = (async () => {\n"use strict";\n${output[0].code}\n})();\n`;
}

/** Imports one file after another, and before each the module that says its name. */
function fileByFile(files: readonly string[]): Plugin {
  const runner = resolve("tests/runner_browser.ts");
  return {
    name: "file by file",
    resolveId: (id) => id === entry || id.startsWith(entering) ? id : undefined,
    load(id) {
      if (id === entry) {
        return [runner, ...files.flatMap((file) => [entering + file, resolve(file)])]
          .map((each) => `import ${JSON.stringify(each)};`).join("\n");
      }
      if (!id.startsWith(entering)) return undefined;
      return `import { enterFile } from ${JSON.stringify(runner)};
enterFile("${id.slice(entering.length)}");`;
    },
  };
}
