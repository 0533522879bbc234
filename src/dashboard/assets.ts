/** Serves the files that only the pages of the dashboard load. */

import { etagOf } from "../crypto/bytes.ts";
import type { Answer, IncomingRequest } from "../http/message.ts";
import { serveStatic } from "../http/static_files.ts";
import { assetsPath } from "../oauth/endpoints/asset_endpoints.ts";
import { type DashboardAssetName, dashboardAssetNames, typeOfAsset } from "../pages/asset_names.ts";
import { requireMethod } from "./guard.ts";

const namesByPath: ReadonlyMap<string, DashboardAssetName> = new Map(
  dashboardAssetNames.map((name) => [assetsPath + name, name]),
);

/** Finds the file at a path below the path of the issuer. */
export function findAsset(path: string): DashboardAssetName | undefined {
  return namesByPath.get(path);
}

export async function answerAsset(request: IncomingRequest, wanted: DashboardAssetName): Promise<Answer> {
  requireMethod(request, ["GET", "HEAD"]);
  // Loaded with the first file, because most servers never show a page of the dashboard.
  const { dashboardAssets } = await import("../pages/dashboard_assets.ts");
  const text = dashboardAssets[wanted];
  return serveStatic(request, { type: typeOfAsset(wanted), text, etag: etagOf(text) }, 0);
}
