/** Makes the files of the site: every page, its sheets and scripts, the index of the search, and the worker that keeps them. */
import type { Plugin } from "esbuild";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { resolve } from "node:path";
import { bundle } from "../bundle.ts";
import deno from "../../deno.json" with { type: "json" };
import { inBrowser } from "../package/in_browser.ts";
import { worker } from "../package/entries.ts";
import { makeBrowserFiles } from "../package/browser.ts";
import { writeHomePage } from "./home_page.tsx";
import { bundlePrograms } from "./programs/bundle_programs.ts";
import { readPages, type SitePage } from "./read_pages.ts";
import { writeReadingPage } from "./reading_page.tsx";
import { writeReferencePage } from "./reference_page.tsx";
import { writeSearchIndex } from "./search_index.ts";
import { writeTakeApartPage } from "./take_apart_page.tsx";
import { writeTryPage } from "./try_page.tsx";

/** The files of the site by their paths below its root. */
export type SiteFiles = ReadonlyMap<string, string | Uint8Array>;

export async function makeSite(): Promise<SiteFiles> {
  const pages = readPages();
  const listed = pages.filter(({ section, part }) => section !== undefined && part === undefined);
  const tools = [["try.html", writeTryPage()], ["take_apart.html", await writeTakeApartPage()]] as const;
  const files = new Map<string, string | Uint8Array>([
    ["index.html", writeHomePage()],
    ["reference.html", writeReferencePage(pages)],
    ...tools,
    ...pages.map((page, at) =>
      [
        page.path,
        writeReadingPage({
          page,
          pages: listed,
          before: findNeighbour(pages, at, -1),
          after: findNeighbour(pages, at, 1),
        }),
      ] as const
    ),
    ["assets/search_index.js", writeSearchIndex([...pages, ...tools.map(readTool)])],
    ...["postern.css", "postern.svg", "token.css"].map((name) =>
      [`assets/${name}`, read(`static/${name}`)] as const
    ),
    ...readdirSync("docs/pictures").map((name) =>
      [`pictures/${name}`, read(`docs/pictures/${name}`)] as const
    ),
    ...await bundleScripts(),
    await bundleSteps(),
    ...await bundlePrograms(
      pages.filter(({ part }) => part === undefined).flatMap(({ programs = [] }) => programs),
      deno.version,
    ),
    ...(await makeBrowserFiles(deno.version)).worker,
  ]);
  return new Map([...files, ["offline.js", await bundleOffline(files)]]);
}

/** A page of the site that is made from no document, as the search knows it. */
function readTool([path, html]: readonly [path: string, html: string]): SitePage {
  const [, title = "", rest = ""] = /<h1>([^<]*)<\/h1>(.*)<\/main>/s.exec(html) ?? [];
  return { path, title, summary: rest.replaceAll(/<[^>]*>/g, " "), blocks: [], parts: [] };
}

/** The pages follow each other in the order of the navigation. A card is beside it. */
function findNeighbour(pages: readonly SitePage[], at: number, step: -1 | 1): SitePage | undefined {
  const found = pages[at + step];
  return found?.section === undefined && found?.parts !== pages[at]!.parts ? undefined : found;
}

function read(path: string): Uint8Array {
  return readFileSync(path);
}

const folder = "scripts/site";
const shared = {
  platform: "browser",
  format: "iife",
  target: "es2022",
  charset: "utf8",
  minify: true,
} as const;

async function bundleScripts(): Promise<readonly (readonly [string, Uint8Array])[]> {
  const scripts = [
    ...["site", "matrix", "run", "take_apart", "try"].map((name) => ({
      in: `${folder}/browser/${name}.ts`,
      out: name,
    })),
    { in: `${folder}/take_apart/show_judged.tsx`, out: "judge" },
  ];
  const { outputFiles = [] } = await bundle({
    ...shared,
    entryPoints: [
      ...scripts,
      ...["site", "home", "take_apart", "try"].map((name) => ({ in: `${folder}/${name}.css`, out: name })),
    ],
    packages: "bundle",
    external: [],
    outdir: "assets",
    plugins: [verifyOnly(), inBrowser()],
    jsx: "automatic",
    jsxImportSource: "preact",
    write: false,
  });
  return outputFiles.map(({ path, contents }) => [`assets/${path.split(/[\\/]/).at(-1)}`, contents]);
}

/** The steps of the page *Try it here*, as a module that the page loads when they begin. */
async function bundleSteps(): Promise<readonly [string, Uint8Array]> {
  const { outputFiles = [] } = await bundle({
    ...{ ...shared, format: "esm", packages: "bundle", external: [], legalComments: "none" },
    entryPoints: [`${folder}/try/run_try.tsx`],
    plugins: [verifyOnly(), inBrowser()],
    ...{ jsx: "automatic", jsxImportSource: "preact" },
    write: false,
  });
  return ["assets/try_steps.js", outputFiles[0]!.contents];
}

/** The judge verifies signatures, and needs nothing else of jose. */
function verifyOnly(): Plugin {
  return {
    name: "verify only",
    setup({ onResolve }): void {
      const path = resolve(`${folder}/take_apart/jose.ts`);
      onResolve({ filter: /\/jose\.ts$/ }, ({ importer }) => importer === path ? undefined : { path });
    },
  };
}

/** The worker changes with every file, because browsers load a changed worker again. */
async function bundleOffline(files: SiteFiles): Promise<Uint8Array> {
  const hash = createHash("sha256");
  for (const [path, content] of files) hash.update(path).update(content);
  const { outputFiles = [] } = await bundle({
    ...shared,
    entryPoints: [`${folder}/browser/offline.ts`],
    define: {
      siteVersion: JSON.stringify(hash.digest("hex").slice(0, 16)),
      // The browser keeps the parts of the worker itself.
      siteFiles: JSON.stringify([...files.keys()].filter((path) => !path.startsWith(worker.file))),
    },
    write: false,
  });
  return outputFiles[0]!.contents;
}
