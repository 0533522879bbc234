/** A web page has no undici, so it has no dispatcher. */

export function dispatch(): never {
  throw new TypeError(
    "A web page has no undici to dispatch for: give the client as.fetch, or use as.intercept()",
  );
}
