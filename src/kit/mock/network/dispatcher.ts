/** The type of `as.dispatcher`, which fits undici's own type without importing it. */

/** What undici sends: the part of its `DispatchOptions` that a request without a socket needs. */
export interface DispatchOptions {
  readonly origin?: string | URL;
  /** The path with the query. */
  readonly path: string;
  readonly method: string;
  readonly headers?: unknown;
  readonly body?: unknown;
  /** Parameters to add to the path. */
  readonly query?: Readonly<Record<string, unknown>>;
}

/** The names of the members of undici's class that no request uses. `as.dispatcher` does not have them. */
export type UnusedMember =
  | "addListener"
  | "close"
  | "compose"
  | "connect"
  | "destroy"
  | "emit"
  | "eventNames"
  | "getMaxListeners"
  | "listenerCount"
  | "listeners"
  | "off"
  | "on"
  | "once"
  | "pipeline"
  | "prependListener"
  | "prependOnceListener"
  | "rawListeners"
  | "removeAllListeners"
  | "removeListener"
  | "request"
  | "setMaxListeners"
  | "stream"
  | "upgrade";

/** A dispatcher for undici and for Node's own `fetch`: `fetch(url, { dispatcher: as.dispatcher })`. */
export interface MockDispatcher extends Readonly<Record<UnusedMember, (...args: never[]) => never>> {
  /** Answers a request without a socket. undici calls it, with a handler as each of its versions has them. */
  dispatch(options: DispatchOptions, handler: object): boolean;
}
