/** From method and path to one handler: exact paths, decided once at start. */

export interface Route<Handler> {
  readonly method: string;
  readonly path: string;
  readonly handler: Handler;
}

/** What a path has to say to a method. */
export type Match<Handler> =
  | { readonly handler: Handler }
  /** The path exists; these methods are what it takes (RFC 9110 §15.5.6). */
  | { readonly allow: string; readonly anyHandler: Handler }
  | undefined;

export type Router<Handler> = (method: string, path: string) => Match<Handler>;

export function createRouter<Handler>(routes: readonly Route<Handler>[]): Router<Handler> {
  const paths = new Map<string, Map<string, Match<Handler> & { handler: Handler }>>();
  for (const { method, path, handler } of routes) {
    const methods = paths.get(path) ?? new Map();
    if (methods.has(method)) {
      throw new TypeError(`Cannot create server: two features answer ${method} ${path}`);
    }
    paths.set(path, methods.set(method, { handler }));
  }
  return (method, path) => {
    const methods = paths.get(path);
    if (methods === undefined) return undefined;
    const match = methods.get(method === "HEAD" ? "GET" : method);
    if (match !== undefined) return match;
    const allowed = [...methods.keys()];
    if (methods.has("GET")) allowed.push("HEAD");
    return { allow: allowed.join(", "), anyHandler: methods.values().next().value!.handler };
  };
}
