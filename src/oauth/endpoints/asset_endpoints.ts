/** Endpoints for the stylesheet, the icons and the scripts of the pages. */

import { etagOf } from "../../crypto/bytes.ts";
import { serveStatic } from "../../http/static_files.ts";
import type { Endpoint } from "../feature.ts";
import type { Asset } from "../pages.ts";

export const assetsPath = "/static/";

export function createAssetEndpoints(assets: readonly Asset[]): readonly Endpoint[] {
  return assets.map(({ name, type, text }) => {
    const file = { type, text, etag: etagOf(text) };
    return {
      method: "GET",
      path: assetsPath + name,
      refusal: "page",
      handle: ({ request }) => serveStatic(request, file, 0),
    };
  });
}
