/** What README and docs say before the first release, and after it. */

/** Whether Postern can be had from npm, from JSR and as an image. Until then, the documents give the way from the checkout. */
export const published = false;

/** The commands that users run, except in a line that speaks of a checkout. Developers, who have one, run other tasks. */
const commands =
  /(?<!checkout.*)(?:npx -y )?\bdeno task (?:--quiet )?(?=(?:start|token|print|visit|health|trust|init|examine|learn|diff|mcp|misbehaviours|schema|help)\b)/g;

/** The image of a release. The one that a checkout makes has no registry in its name. */
export const image = "ghcr.io/postern/postern";
const ownImage = /(?<![\w/-])postern(?=:\d+\.\d+\.\d+\b)/g;

const before = /^<!-- before the first release -->\n+([^]*?)^<!-- after the first release:\n+([^]*?)^-->\n/gm;

/** Returns what a reader sees of a document before the first release. */
export function writeAsShown(text: string): string {
  return text.replace(/^<!--[^]*?-->\n+/gm, "").replace(/<\/?picture>|<source [^>]*>/g, "");
}

/**
 * Returns a document as it is after the first release: of each pair of marked parts the second, `npx postern` in the
 * place of `deno task`, and the image of a release in the place of one's own. To release for the first time, set
 * `published` and run `deno task docs`, which writes them all.
 */
export function writeAsPublished(text: string): string {
  return text.replace(before, (_, _old: string, then: string) => then)
    .replace(commands, "npx postern ")
    .replace(ownImage, image);
}
