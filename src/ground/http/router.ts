/** Finds the handler for a method and a path. The last segment of a path may be a variable: `/register/{client_id}`. */

import { decodePercent } from "./address.ts";

export type Method = "GET" | "POST" | "PUT" | "PATCH" | "DELETE";

export interface Route<Handler> {
  /** A route for GET answers HEAD as well. */
  readonly method: Method;
  readonly path: string;
  readonly handler: Handler;
}

export interface Found<Handler> {
  readonly handler: Handler;
  /** The percent-decoded value of the path's variable. Empty if the path has no variable. */
  readonly variable: string;
}

/** The path has handlers, but none for this method (RFC 9110 §15.5.6). */
export interface WrongMethod<Handler> {
  readonly allow: string;
  readonly anyHandler: Handler;
}

export type Match<Handler> = Found<Handler> | WrongMethod<Handler> | undefined;

export type Router<Handler> = (method: string, path: string) => Match<Handler>;

/** The handlers of a path with their methods. It is no `Map`, because those of all paths would take 10 KB. */
type Methods<Handler> = readonly { readonly method: string; readonly found: Found<Handler> }[];

export function createRouter<Handler>(routes: readonly Route<Handler>[]): Router<Handler> {
  const exact = new Map<string, Methods<Handler>>();
  // The keys are the paths without their variables, and end in a slash.
  const variable = new Map<string, Methods<Handler>>();
  for (const { method, path, handler } of routes) {
    const prefix = readPrefix(path);
    const [paths, key] = prefix === undefined ? [exact, path] : [variable, prefix];
    const methods: Methods<Handler> = paths.get(key) ?? [];
    if (methods.some((each) => each.method === method)) {
      throw new TypeError(`Cannot create server: two features answer ${method} ${path}`);
    }
    // Unlike an array that grows, the result of concat() has no room for more elements.
    paths.set(key, methods.concat({ method, found: { handler, variable: "" } }));
  }
  requireDistinct([...exact.keys()], variable);
  return (method, path) => {
    const methods = exact.get(path);
    if (methods !== undefined) return choose(methods, method);
    const end = path.lastIndexOf("/") + 1;
    const below = variable.get(path.slice(0, end));
    // The variable of a path is never empty.
    const value = below && decodePercent(path.slice(end));
    if (below === undefined || !value) return undefined;
    const match = choose(below, method);
    return "handler" in match ? { handler: match.handler, variable: value } : match;
  };
}

/** Returns the path without its variable and without a slash at the end. */
export function fixedPath(path: string): string {
  return readPrefix(path)?.slice(0, -1) ?? path;
}

/** Returns the path up to its variable, or `undefined` if the path has no variable. */
function readPrefix(path: string): string | undefined {
  if (!/[{}]/.test(path)) return undefined;
  const prefix = /^((?:\/[^/{}]+)+\/)\{\w+\}$/.exec(path)?.[1];
  if (prefix === undefined) {
    throw new TypeError(
      `Cannot create server: the path ${path} must end in its variable, as a whole segment behind a fixed one`,
    );
  }
  return prefix;
}

/** Throws if a path without a variable has the form of a path with one: each would hide the other. */
function requireDistinct(paths: readonly string[], variable: ReadonlyMap<string, unknown>): void {
  const hiding = paths.find((path) => variable.has(path.slice(0, path.lastIndexOf("/") + 1)));
  if (hiding === undefined) return;
  throw new TypeError(`Cannot create server: two features answer ${hiding}, one of them with a variable`);
}

function choose<Handler>(methods: Methods<Handler>, method: string): Found<Handler> | WrongMethod<Handler> {
  const wanted = method === "HEAD" ? "GET" : method;
  for (const each of methods) if (each.method === wanted) return each.found;
  const allowed = methods.map((each) => each.method);
  if (allowed.includes("GET")) allowed.push("HEAD");
  return { allow: allowed.join(", "), anyHandler: methods[0]!.found.handler };
}
