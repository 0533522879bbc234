/** Endpoints for the stylesheet, the icons and the scripts of the pages. */

import { etagOf } from "../crypto/bytes.ts";
import { serveStatic } from "../http/static_files.ts";
import type { Endpoint } from "../oauth/feature.ts";
import type { Asset } from "../oauth/pages.ts";
import { lazyAssets } from "../pages/lazy.ts";

export const assetsPath = "/static/";

export function createAssetEndpoints(assets: readonly Asset[]): readonly Endpoint[] {
  return assets === lazyAssets ? usualEndpoints : assets.map(createAssetEndpoint);
}

function createAssetEndpoint({ name, type, read }: Asset): Endpoint {
  let etag: string | undefined;
  return {
    method: "GET",
    path: assetsPath + name,
    refusal: "page",
    async handle({ request }) {
      const text = await read();
      return serveStatic(request, { type, text, etag: etag ??= etagOf(text) }, 0);
    },
  };
}

/** The endpoints of nearly all servers, which share them, because they would take 6 KB of each. */
const usualEndpoints = lazyAssets.map(createAssetEndpoint);
