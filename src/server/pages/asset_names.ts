/** The names and types of the files that the pages load. The file has no texts, so it is small. */

export const assetNames = [
  "postern.css",
  "boxes.css",
  "control.css",
  "gate.css",
  "home.css",
  "outcome.css",
  "rows.css",
  "postern.svg",
  "copy.js",
  "countdown.js",
  "form.js",
  "form_post.js",
  "people.js",
  "tabs.css",
  "tabs.js",
  "token.css",
  "walk.css",
] as const;

export type AssetName = typeof assetNames[number];

/** The files that only the pages of the dashboard load. */
export const dashboardAssetNames = [
  "beside.css",
  "beside.js",
  "compare.css",
  "dashboard.css",
  "diagram.css",
  "directory.css",
  "entry.css",
  "filter.js",
  "inspector.css",
  "inspector.js",
  "key.js",
  "live.js",
  "misbehaviours.css",
  "pass.js",
  "panels.css",
  "playground.css",
  "playground.js",
  "requests.css",
] as const;

export type DashboardAssetName = typeof dashboardAssetNames[number];

export function typeOfAsset(name: AssetName | DashboardAssetName): string {
  if (name.endsWith(".css")) return "text/css; charset=utf-8";
  return name.endsWith(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8";
}
