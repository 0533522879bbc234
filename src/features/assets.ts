/** The stylesheet, icons and small scripts that the pages load. */

import { etagOf } from "../crypto/bytes.ts";
import { serveStatic } from "../http/static_files.ts";
import type { Feature } from "../oauth/feature.ts";
import type { Asset } from "../oauth/pages.ts";

export const assetsPath = "/static/";

export function assets(all: readonly Asset[]): Feature {
  return {
    name: "assets",
    spec: "Postern",
    endpoints: all.map(({ name, type, text }) => {
      const file = { type, text, etag: etagOf(text) };
      return {
        method: "GET" as const,
        path: assetsPath + name,
        refusal: "page" as const,
        handle: ({ request }) => serveStatic(request, file, 0),
      };
    }),
  };
}
