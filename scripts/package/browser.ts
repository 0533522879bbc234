/** Makes the bundle for web pages: one entry, and parts that it loads when they are first needed. */
import { build, type BuildResult, type Plugin, stop } from "esbuild";
import { existsSync } from "node:fs";
import { resolve } from "node:path";
import { portable } from "../bundle.ts";
import { browser } from "./entries.ts";
import { onlyVersion } from "./only_version.ts";

/** Bundles the entry without the comments and names that a page need not load. */
export async function buildBrowser(
  folder: string,
  version: string,
): Promise<BuildResult<{ metafile: true }>> {
  return await build({
    ...portable,
    platform: "browser",
    target: "es2024",
    packages: "bundle",
    external: [],
    entryPoints: [{ in: browser.source, out: browser.file }],
    outdir: folder,
    splitting: true,
    chunkNames: `${browser.file}/[name]-[hash]`,
    minify: true,
    metafile: true,
    legalComments: "none",
    plugins: [onlyVersion(version), inBrowser()],
  }).finally(stop);
}

/** Takes `x_browser.ts` instead of each `x.ts` beside which it is. */
export function inBrowser(): Plugin {
  return {
    name: "in browser",
    setup({ onResolve }): void {
      onResolve({ filter: /^\.{1,2}\/.*\.ts$/ }, ({ path, resolveDir, kind }) => {
        const other = resolve(resolveDir, path.replace(/\.ts$/, "_browser.ts"));
        return kind !== "entry-point" && existsSync(other) ? { path: other } : undefined;
      });
    },
  };
}
