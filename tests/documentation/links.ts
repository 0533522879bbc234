/** The links of a Markdown document, and the anchors that others can link to. */

import { existsSync, readFileSync } from "node:fs";
import { posix } from "node:path";

const fencedBlocks = /^( *)(`{3,}|~{3,})[^]*?^ *\2 *$/gm;

/** Removes fenced blocks and code spans, which have no links. */
function withoutCode(text: string): string {
  return text.replace(fencedBlocks, "").replace(/(`+)[^]*?\1/g, "code");
}

/** Returns the targets of links and pictures. */
export function findLinks(text: string): readonly string[] {
  const prose = withoutCode(text);
  const inline = prose.matchAll(/\]\(\s*<?([^)\s>]+)[^)]*\)/g);
  const defined = prose.matchAll(/^ {0,3}\[[^\]]+\]:\s+<?([^\s>]+)/gm);
  const inHtml = prose.matchAll(/\s(?:src|href)="([^"]+)"/g);
  return [...inline, ...defined, ...inHtml].map(([, target]) => target!);
}

/** Returns the anchors of the headings, as GitHub forms them, and those that are written. */
export function findAnchors(text: string): ReadonlySet<string> {
  const anchors = new Set([...text.matchAll(/<a id="([^"]+)">/g)].map(([, id]) => id!));
  for (const [, title = ""] of text.replace(fencedBlocks, "").matchAll(/^#{1,6} +(.+?)(?: +#+)?$/gm)) {
    // the text of a link stays, its target does not
    const plain = title.replace(/\[([^\]]*)\]\([^)]*\)/g, "$1").toLowerCase();
    const slug = plain.replace(/[^\p{L}\p{M}\p{N}\p{Pc} -]/gu, "").replaceAll(" ", "-");
    let anchor = slug;
    for (let times = 1; anchors.has(anchor); times++) anchor = `${slug}-${times}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Returns the links inside the repository that lead nowhere. */
export function findBrokenLinks(document: string, text: string): readonly string[] {
  return findLinks(text).filter((target) => !/^[a-z][a-z+.-]*:/i.test(target)).filter((target) => {
    const [path = "", anchor] = decodeURI(target).split("#");
    const file = path === "" ? document : posix.join(posix.dirname(document), path);
    if (file.startsWith("../") || !existsSync(file)) return true;
    if (anchor === undefined) return false;
    const other = file === document ? text : readFileSync(file, "utf8");
    const [, line] = /^L(\d+)$/.exec(anchor) ?? [];
    if (line !== undefined) return other.split("\n").length < Number(line);
    return !findAnchors(other).has(anchor);
  });
}
