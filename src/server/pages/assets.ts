/** The files that the pages load, as text, so that every bundle contains them. */

// The name of an export is that of its file, so this list is also the table.
export { default as "copy.js" } from "../../../static/copy.js" with { type: "text" };
export { default as "copy_lines.js" } from "../../../static/copy_lines.js" with { type: "text" };
export { default as "countdown.js" } from "../../../static/countdown.js" with { type: "text" };
export { default as "form.js" } from "../../../static/form.js" with { type: "text" };
export { default as "form_post.js" } from "../../../static/form_post.js" with { type: "text" };
export { default as "gate.css" } from "../../../static/gate.css" with { type: "text" };
export { default as "parts.css" } from "../../../static/parts.css" with { type: "text" };
export { default as "people.js" } from "../../../static/people.js" with { type: "text" };
export { default as "postern.css" } from "../../../static/postern.css" with { type: "text" };
export { default as "postern.svg" } from "../../../static/postern.svg" with { type: "text" };
export { default as "sheet.css" } from "../../../static/sheet.css" with { type: "text" };
export { default as "token.css" } from "../../../static/token.css" with { type: "text" };
export { default as "walk.css" } from "../../../static/walk.css" with { type: "text" };
export { default as "web_message.js" } from "../../../static/web_message.js" with { type: "text" };
