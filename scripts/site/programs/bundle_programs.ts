/** Bundles the programs of the documentation for pages, with the libraries that they import. */
import type { Plugin } from "esbuild";
import { posix, resolve } from "node:path";
import { bundle } from "../../bundle.ts";
import { makeBrowserFiles } from "../../package/browser.ts";
import { programFolder, type SiteProgram } from "./find_programs.ts";

type Files = readonly (readonly [path: string, content: string | Uint8Array])[];

const folder = "scripts/site/programs";
const posternFolder = "assets/postern";

/** The programs share the modules that several of them import. */
export async function bundlePrograms(programs: readonly SiteProgram[], version: string): Promise<Files> {
  const { outputFiles = [] } = await bundle({
    ...{ platform: "browser", format: "esm", target: "es2022", charset: "utf8", packages: "bundle" },
    ...{ splitting: true, minify: true, legalComments: "none", write: false, external: [] },
    // The error of an assertion has the name that a person reads.
    keepNames: true,
    outdir: programFolder,
    entryPoints: [
      { in: resolve(`${folder}/run_program.ts`), out: "run_program" },
      ...programs.map(({ address }) => ({ in: address, out: posix.basename(address, ".js") })),
    ],
    plugins: [fromDocuments(programs)],
  });
  const start = resolve(".").length + 1;
  return [
    ...outputFiles.map(({ path, contents }) => [path.slice(start).replaceAll("\\", "/"), contents] as const),
    ...[...(await makeBrowserFiles(version)).page].map(([path, text]) =>
      [`${posternFolder}/${path}`, text] as const
    ),
  ];
}

const standIns = new Map([["node:test", "node_test.ts"], ["node:assert/strict", "assert.ts"]]);

/** A document has the text of a program, and the package of Postern is a module of the site. */
function fromDocuments(programs: readonly SiteProgram[]): Plugin {
  const byAddress = new Map(programs.map((program) => [program.address, program]));
  const namespace = "document";
  return {
    name: "from documents",
    setup({ onResolve, onLoad }): void {
      onResolve({ filter: /^assets\// }, ({ path }) => ({ path, namespace }));
      onResolve({ filter: /^\.\//, namespace }, ({ path, importer }) => ({
        path: `${importer.split("|")[0]}|${path.slice(2)}`,
        namespace,
      }));
      onResolve({ filter: /^postern(\/(mock|browser))?$/ }, () => ({
        path: posix.relative(programFolder, `${posternFolder}/browser.js`),
        external: true,
      }));
      onResolve({ filter: /^node:/ }, ({ path }) => {
        const standIn = standIns.get(path);
        return standIn === undefined ? undefined : { path: resolve(`${folder}/${standIn}`) };
      });
      onLoad({ filter: /./, namespace }, ({ path }) => {
        const [address = "", file] = path.split("|");
        const { name, files } = byAddress.get(address)!;
        return { contents: files.get(file ?? name)!, loader: "ts", resolveDir: resolve(".") };
      });
    },
  };
}
