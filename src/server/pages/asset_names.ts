/** The names of the files that the pages load. The file has no texts, so it is small. */

export const assetNames = [
  "postern.css",
  "parts.css",
  "gate.css",
  "home.css",
  "outcome.css",
  "postern.svg",
  "copy.js",
  "countdown.js",
  "form.js",
  "form_post.js",
  "people.js",
  "token.css",
  "walk.css",
] as const;

export type AssetName = typeof assetNames[number];
