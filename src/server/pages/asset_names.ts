/** The names and types of the files that the pages load. The file has no texts, so it is small. */

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

export function typeOfAsset(name: string): string {
  if (name.endsWith(".css")) return "text/css; charset=utf-8";
  return name.endsWith(".svg") ? "image/svg+xml" : "text/javascript; charset=utf-8";
}
