/** The names of the files that the pages load. The file has no texts, so it is small. */

export const assetNames = [
  "postern.css",
  "parts.css",
  "gate.css",
  "postern.svg",
  "copy.js",
  "copy_lines.js",
  "countdown.js",
  "form.js",
  "form_post.js",
  "people.js",
  "sheet.css",
  "token.css",
  "walk.css",
  "web_message.js",
] as const;

export type AssetName = typeof assetNames[number];
