/** The texts of the files that only pages of the tools load, so that a server without them does not hold them. */

import beside from "../../../static/beside.js" with { type: "text" };
import calls from "../../../static/calls.js" with { type: "text" };
import complete from "../../../static/complete.js" with { type: "text" };
import dashboardCss from "../../../static/dashboard.css" with { type: "text" };
import diagramCss from "../../../static/diagram.css" with { type: "text" };
import entryCss from "../../../static/entry.css" with { type: "text" };
import filter from "../../../static/filter.js" with { type: "text" };
import inspectorCss from "../../../static/inspector.css" with { type: "text" };
import inspector from "../../../static/inspector.js" with { type: "text" };
import key from "../../../static/key.js" with { type: "text" };
import keys from "../../../static/keys.js" with { type: "text" };
import keysList from "../../../static/keys_list.js" with { type: "text" };
import live from "../../../static/live.js" with { type: "text" };
import panelsCss from "../../../static/panels.css" with { type: "text" };
import icon from "../../../static/postern.svg" with { type: "text" };
import pass from "../../../static/pass.js" with { type: "text" };
import playgroundCss from "../../../static/playground.css" with { type: "text" };
import playground from "../../../static/playground.js" with { type: "text" };
import tabs from "../../../static/tabs.js" with { type: "text" };
import unfold from "../../../static/unfold.js" with { type: "text" };
import type { ToolAssetName } from "./asset_names.ts";

export { icon };

export const toolAssets: Readonly<Record<ToolAssetName, string>> = {
  "beside.js": beside,
  "calls.js": calls,
  "complete.js": complete,
  "dashboard.css": dashboardCss,
  "diagram.css": diagramCss,
  "entry.css": entryCss,
  "filter.js": filter,
  "inspector.css": inspectorCss,
  "inspector.js": inspector,
  "key.js": key,
  "keys.js": keys,
  "keys_list.js": keysList,
  "live.js": live,
  "panels.css": panelsCss,
  "pass.js": pass,
  "playground.css": playgroundCss,
  "playground.js": playground,
  "tabs.js": tabs,
  "unfold.js": unfold,
};
