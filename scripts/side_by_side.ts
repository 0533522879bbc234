/** Does the same work on each of several items, at most one for each core at a time. */

/** Resolves to the results, in the order of the items. */
export async function sideBySide<Item, Result>(
  items: readonly Item[],
  work: (item: Item, index: number) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = [];
  const queue = items.entries();
  const worker = async () => {
    for (const [index, item] of queue) results[index] = await work(item, index);
  };
  await Promise.all(Array.from({ length: navigator.hardwareConcurrency }, worker));
  return results;
}
