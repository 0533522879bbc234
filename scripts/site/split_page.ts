/** Splits a long page into parts, at its sections where it can, so that each part is small. */
import { type Block, inChunks } from "./blocks.ts";

/** In characters of HTML, without the frame of the page. Its links become longer when they are resolved. */
const longestPart = 26_000;

export function splitPage(blocks: readonly Block[]): readonly (readonly Block[])[] {
  return inChunks(cutUnits(blocks, 2), (unit) => sizeOf(unit), longestPart).map((units) => units.flat());
}

function sizeOf(blocks: readonly Block[]): number {
  return blocks.reduce((sum, { html }) => sum + html.length, 0);
}

/** Cuts at each heading of the level and, where a section is too long for a part, at those below it. */
function cutUnits(blocks: readonly Block[], level: number): readonly (readonly Block[])[] {
  const sections: Block[][] = [];
  for (const block of blocks) {
    if (sections.length === 0 || block.level !== undefined && block.level <= level) sections.push([]);
    sections.at(-1)!.push(block);
  }
  return sections.flatMap((section): readonly (readonly Block[])[] => {
    if (sizeOf(section) <= longestPart) return [section];
    return level < 4 ? cutUnits(section, level + 1) : withHeading(section);
  });
}

/** A heading stays with what follows it. */
function withHeading([first, second, ...others]: readonly Block[]): readonly (readonly Block[])[] {
  return [[first, second].filter((block) => block !== undefined), ...others.map((block) => [block])];
}
