/** Endpoints for the stylesheet, the icons and the scripts of the pages. */

import { etagOf } from "../../ground/crypto/bytes.ts";
import { serveStatic, typeOfFile } from "../../ground/http/respond.ts";
import type { Endpoint } from "../oauth/contracts/feature.ts";
import type { Asset } from "../oauth/contracts/pages.ts";
import { assetsPath } from "../oauth/contracts/paths.ts";
import { remember } from "../../ground/values/remember.ts";

/** Servers share the endpoint of an asset, because those of all files would take 6 KB of each server. */
const assetEndpoints = new WeakMap<Asset, Endpoint>();

const lists = new WeakMap<readonly Endpoint[], WeakMap<readonly Asset[], readonly Endpoint[]>>();

/** Returns the endpoints with those of the assets. The result is the same list for the same lists, as a router shares it. */
export function withAssets(endpoints: readonly Endpoint[], assets: readonly Asset[]): readonly Endpoint[] {
  const known = remember(lists, endpoints, () => new WeakMap());
  return remember(known, assets, () => [
    ...endpoints,
    ...assets.map((asset) => remember(assetEndpoints, asset, () => createAssetEndpoint(asset))),
  ]);
}

function createAssetEndpoint({ name, read }: Asset): Endpoint {
  const type = typeOfFile(name);
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
