/** A web page has no undici, so it has no dispatcher: a request fails with a sentence that says so. */

import type { DispatchOptions } from "./dispatcher.ts";

interface Failing {
  readonly onResponseError?: (controller: undefined, error: Error) => void;
  /** Of undici 6. */
  readonly onError?: (error: Error) => void;
}

// It is loaded late, so an error that it throws itself would not reach the caller.
export function dispatch(_options: DispatchOptions, handler: Failing): Promise<void> {
  const error = new TypeError(
    "A web page has no undici to dispatch for: give the client as.fetch, or use as.intercept()",
  );
  if (handler.onResponseError !== undefined) handler.onResponseError(undefined, error);
  else handler.onError?.(error);
  return Promise.resolve();
}
