/** Runs work that may throw. */

/** Returns `undefined` if the work throws, for callers to whom the reason is of no use. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
