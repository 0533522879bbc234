/** Rules for each item of a list, which a schema cannot express. */

import type { MetadataProblem } from "../../contracts/feature.ts";

/** Returns the first item that breaks the rule. `breaks` returns what is expected of such an item. */
export function checkEach<Item>(
  list: string,
  items: readonly Item[],
  breaks: (item: Item) => string | undefined,
): MetadataProblem | undefined {
  for (const [index, item] of items.entries()) {
    const expected = breaks(item);
    if (expected !== undefined) return { place: `${list}[${index}]`, expected };
  }
  return undefined;
}
