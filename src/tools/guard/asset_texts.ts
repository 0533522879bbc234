/** The texts of the files that only pages of the tools load, so that a server without them does not hold them. */

// The name of an export is that of its file, so this list is also the table.
export { default as "beside.js" } from "../../../static/beside.js" with { type: "text" };
export { default as "calls.js" } from "../../../static/calls.js" with { type: "text" };
export { default as "choose.js" } from "../../../static/choose.js" with { type: "text" };
export { default as "complete.js" } from "../../../static/complete.js" with { type: "text" };
export { default as "dashboard.css" } from "../../../static/dashboard.css" with { type: "text" };
export { default as "diagram.css" } from "../../../static/diagram.css" with { type: "text" };
export { default as "entry.css" } from "../../../static/entry.css" with { type: "text" };
export { default as "filter.js" } from "../../../static/filter.js" with { type: "text" };
export { default as "inspector.css" } from "../../../static/inspector.css" with { type: "text" };
export { default as "inspector.js" } from "../../../static/inspector.js" with { type: "text" };
export { default as "key.js" } from "../../../static/key.js" with { type: "text" };
export { default as "keys.js" } from "../../../static/keys.js" with { type: "text" };
export { default as "keys_list.js" } from "../../../static/keys_list.js" with { type: "text" };
export { default as "live.js" } from "../../../static/live.js" with { type: "text" };
export { default as "panels.css" } from "../../../static/panels.css" with { type: "text" };
export { default as "pass.js" } from "../../../static/pass.js" with { type: "text" };
export { default as "playground.css" } from "../../../static/playground.css" with { type: "text" };
export { default as "playground.js" } from "../../../static/playground.js" with { type: "text" };
export { default as "search.js" } from "../../../static/search.js" with { type: "text" };
export { default as "tabs.js" } from "../../../static/tabs.js" with { type: "text" };
export { default as "unfold.js" } from "../../../static/unfold.js" with { type: "text" };
export { default as icon } from "../../../static/postern.svg" with { type: "text" };
