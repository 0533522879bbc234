/** The files that the pages load, as text, so that every bundle contains them. */

import copy from "../../static/copy.js" with { type: "text" };
import countdown from "../../static/countdown.js" with { type: "text" };
import form from "../../static/form.js" with { type: "text" };
import formPost from "../../static/form_post.js" with { type: "text" };
import live from "../../static/live.js" with { type: "text" };
import css from "../../static/postern.css" with { type: "text" };
import icon from "../../static/postern.svg" with { type: "text" };
import type { Asset } from "../oauth/pages.ts";

const script = "text/javascript; charset=utf-8";

export const assets: readonly Asset[] = [
  { name: "postern.css", type: "text/css; charset=utf-8", text: css },
  { name: "postern.svg", type: "image/svg+xml", text: icon },
  { name: "copy.js", type: script, text: copy },
  { name: "countdown.js", type: script, text: countdown },
  { name: "form.js", type: script, text: form },
  { name: "form_post.js", type: script, text: formPost },
  { name: "live.js", type: script, text: live },
];
