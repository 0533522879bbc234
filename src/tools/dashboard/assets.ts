/** Serves the files that only the pages of the dashboard load, and the icon of responses that are no pages. */

import { etagOf } from "../../server/crypto/bytes.ts";
import type { Answer, IncomingRequest } from "../../server/http/message.ts";
import { serveStatic } from "../../server/http/static_files.ts";
import { assetsPath } from "../../server/asset_endpoints.ts";
import { type DashboardAssetName, dashboardAssetNames, typeOfAsset } from "../../server/pages/asset_names.ts";
import { requireMethod } from "./guard.ts";

const namesByPath: ReadonlyMap<string, DashboardAssetName> = new Map(
  dashboardAssetNames.map((name) => [assetsPath + name, name]),
);

/** Finds the file at a path below the path of the issuer. */
export function findAsset(path: string): DashboardAssetName | undefined {
  return namesByPath.get(path);
}

/** Where browsers look for the icon of a response that names none, for example of the metadata. */
export const iconPath = "/favicon.ico";

export async function answerIcon(request: IncomingRequest): Promise<Answer> {
  requireMethod(request, ["GET", "HEAD"]);
  const { assets } = await import("../../server/pages/assets.ts");
  const text = assets["postern.svg"];
  return serveStatic(request, { type: typeOfAsset("postern.svg"), text, etag: etagOf(text) }, 0);
}

export async function answerAsset(request: IncomingRequest, wanted: DashboardAssetName): Promise<Answer> {
  requireMethod(request, ["GET", "HEAD"]);
  // Loaded with the first file, because most servers never show a page of the dashboard.
  const { dashboardAssets } = await import("../../server/pages/dashboard_assets.ts");
  const text = dashboardAssets[wanted];
  return serveStatic(request, { type: typeOfAsset(wanted), text, etag: etagOf(text) }, 0);
}
