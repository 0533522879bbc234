/** Does the same work on each of several items, several at a time. */

/** Resolves to the results, in the order of the items. Works on one item for each core at a time, or on `most`. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
  most: number = navigator.hardwareConcurrency,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: most }, worker));
  return results;
}
