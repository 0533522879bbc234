/** Leaves only the version of deno.json in the bundles, which use nothing else of it. */
import type { Plugin } from "esbuild";

export function onlyVersion(version: string): Plugin {
  return {
    name: "only version",
    setup({ onLoad }): void {
      onLoad(
        { filter: /[\\/]deno\.json$/ },
        () => ({ contents: JSON.stringify({ version }), loader: "json" }),
      );
    },
  };
}
