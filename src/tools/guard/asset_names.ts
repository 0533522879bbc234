/** The names of the files that only pages of the tools load. The file has no texts, so it is small. */

import { assetsPath } from "../../server/oauth/contracts/paths.ts";

export const toolAssetNames = [
  "beside.js",
  "calls.js",
  "choose.js",
  "complete.js",
  "dashboard.css",
  "diagram.css",
  "entry.css",
  "filter.js",
  "inspector.css",
  "inspector.js",
  "key.js",
  "keys.js",
  "keys_list.js",
  "live.js",
  "panels.css",
  "pass.js",
  "playground.css",
  "playground.js",
  "search.js",
  "tabs.js",
  "unfold.js",
] as const;

export type ToolAssetName = typeof toolAssetNames[number];

const namesByPath: ReadonlyMap<string, ToolAssetName> = new Map(
  toolAssetNames.map((name) => [assetsPath + name, name]),
);

export function findAsset(path: string): ToolAssetName | undefined {
  return namesByPath.get(path);
}
