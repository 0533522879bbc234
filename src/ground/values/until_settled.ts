/** Promises that are kept while they are pending. */

/** Keeps a promise in the set until it settles. */
export function keepUntilSettled(promise: Promise<unknown>, pending: Set<Promise<unknown>>): void {
  const kept = promise.finally(() => pending.delete(kept));
  pending.add(kept);
}
