/** Gives equal calls at the same time an order that is the same in each run, because chance decides which one succeeds. */

import type { RecordedRequest } from "../../mock/journal/recorded_request.ts";

/** A request, and what a file has of it. */
interface Kept<T> {
  readonly request: Pick<RecordedRequest, "at" | "duration" | "method" | "path" | "altered">;
  readonly kept: T;
}

/** Leaves all others as they are, in the order of their arrival. */
export function orderConcurrent<T>(all: readonly Kept<T>[]): readonly T[] {
  const groups: Kept<T>[][] = [];
  for (const each of all) {
    const group = groups.at(-1);
    if (group?.some((other) => isConcurrent(other, each))) group.push(each);
    else groups.push([each]);
  }
  return groups.flatMap((group) =>
    group.map(({ kept }) => ({ kept, text: JSON.stringify(kept) }))
      .sort((one, other) => one.text < other.text ? -1 : 1)
      .map(({ kept }) => kept)
  );
}

/** A wrong answer stays before the others. */
function isConcurrent({ request: one }: Kept<unknown>, { request: other }: Kept<unknown>): boolean {
  return one.method === other.method && one.path === other.path &&
    one.at <= other.at && other.at < one.at + one.duration &&
    (one.altered === undefined) === (other.altered === undefined);
}
