/** Changes source maps so that they lead to the sources in the package instead of those in the checkout. */

export interface PackagedMap {
  readonly text: string;
  /** Paths of the sources, from the root of the checkout and of the package. */
  readonly sources: readonly string[];
}

/** `json` is a map whose paths lead from dist/npm to the checkout. The code gets `linesAbove` more lines above it. */
export function repackMap(json: string, linesAbove: number = 0): PackagedMap {
  const map = JSON.parse(json) as { readonly sources: readonly string[]; readonly mappings: string };
  const isCode = (source: string) => /^(\.\.\/)+src\//.test(source);
  return {
    text: JSON.stringify({
      ...map,
      // The checkout is two folders above dist/npm. A style sheet and deno.json are data, which needs no source.
      sources: map.sources.map((source) => isCode(source) ? source.replace("../../", "") : null),
      // in this format a semicolon ends a line
      mappings: ";".repeat(linesAbove) + map.mappings,
    }),
    sources: map.sources.filter(isCode).map((source) => source.replace(/^(\.\.\/)+/, "")),
  };
}
