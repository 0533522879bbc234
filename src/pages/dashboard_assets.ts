/** The files that only the pages of the dashboard load, so that a server without a dashboard does not hold them. */

import dashboardCss from "../../static/dashboard.css" with { type: "text" };
import key from "../../static/key.js" with { type: "text" };
import type { Asset } from "../oauth/pages.ts";
import type { DashboardAssetName } from "./dashboard_asset_names.ts";

const script = "text/javascript; charset=utf-8";

export const dashboardAssets: readonly (Asset & { readonly name: DashboardAssetName })[] = [
  { name: "dashboard.css", type: "text/css; charset=utf-8", text: dashboardCss },
  { name: "key.js", type: script, text: key },
];
