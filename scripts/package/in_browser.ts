/** Takes `x_browser.ts` instead of each `x.ts` or `x.tsx` beside which it is. */
import type { Plugin } from "esbuild";
import { existsSync } from "node:fs";
import { dirname, resolve } from "node:path";

/** Returns the path of the module that web pages have instead of the imported one, or `undefined`. */
export function findInBrowser(imported: string, importer: string): string | undefined {
  if (!/\.tsx?$/.test(imported)) return undefined;
  const path = resolve(dirname(importer), imported.replace(/\.tsx?$/, "_browser.ts"));
  return existsSync(path) ? path : undefined;
}

/** For bundles of esbuild. */
export function inBrowser(): Plugin {
  return {
    name: "in browser",
    setup({ onResolve }): void {
      onResolve({ filter: /\.tsx?$/ }, ({ path, importer, kind }) => {
        const other = kind === "entry-point" ? undefined : findInBrowser(path, importer);
        return other === undefined ? undefined : { path: other };
      });
    },
  };
}
