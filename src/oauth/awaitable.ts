/**
 * Values that most requests have at once, and some only later, for example from a store. `await` makes a promise for
 * both, so steps that every request takes look first.
 */

export type Awaitable<T> = T | Promise<T>;

/** Looks for `then` instead of the class, because other realms and libraries have promise classes of their own. */
export function isPromise<T>(value: Awaitable<T>): value is Promise<T> {
  return typeof (value as { readonly then?: unknown } | null | undefined)?.then === "function";
}

/** Continues with the value: at once if it is there, and otherwise when the promise has it. */
export function continueWith<T, Result>(
  value: Awaitable<T>,
  next: (value: T) => Awaitable<Result>,
): Awaitable<Result> {
  return isPromise(value) ? value.then(next) : next(value);
}
