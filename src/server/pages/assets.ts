/** The files that the pages load, as text, so that every bundle contains them. */

import copy from "../../../static/copy.js" with { type: "text" };
import partsCss from "../../../static/parts.css" with { type: "text" };
import copyLines from "../../../static/copy_lines.js" with { type: "text" };
import countdown from "../../../static/countdown.js" with { type: "text" };
import form from "../../../static/form.js" with { type: "text" };
import formPost from "../../../static/form_post.js" with { type: "text" };
import gateCss from "../../../static/gate.css" with { type: "text" };
import people from "../../../static/people.js" with { type: "text" };
import css from "../../../static/postern.css" with { type: "text" };
import icon from "../../../static/postern.svg" with { type: "text" };
import sheetCss from "../../../static/sheet.css" with { type: "text" };
import tokenCss from "../../../static/token.css" with { type: "text" };
import walkCss from "../../../static/walk.css" with { type: "text" };
import webMessage from "../../../static/web_message.js" with { type: "text" };
import type { AssetName } from "./asset_names.ts";

export const assets: Readonly<Record<AssetName, string>> = {
  "postern.css": css,
  "parts.css": partsCss,
  "gate.css": gateCss,
  "postern.svg": icon,
  "copy.js": copy,
  "copy_lines.js": copyLines,
  "countdown.js": countdown,
  "form.js": form,
  "form_post.js": formPost,
  "people.js": people,
  "sheet.css": sheetCss,
  "token.css": tokenCss,
  "walk.css": walkCss,
  "web_message.js": webMessage,
};
