/** The interceptions by a mock of the global `fetch` and of the agents of Node, and how one begins and ends. */

import { namesThisMachine } from "../../../ground/http/address.ts";
import type { OnUnhandled } from "../terms/mock_options.ts";
import { type Connect, noAgents, openAgents } from "./agents.ts";

/** Options of `intercept`. */
export interface InterceptTerms {
  /**
   * Also takes the requests of `node:http` and `node:https`, on Node, Deno and Bun. Default: false, and they go to the
   * network, even to the hosts of the mock.
   */
  readonly node?: boolean;
  /**
   * What happens to a request of `fetch` to another origin: it goes to its server (`bypass`), or it fails (`error`), unless
   * it is for this machine. The same applies to requests of `node:http` and `node:https` with `node: true`, and only then.
   * Default: the option of `createMock`, or `bypass`.
   */
  readonly onUnhandled?: OnUnhandled;
}

export interface Interceptions {
  start(options: InterceptOptions): Disposable;
  /** Throws if another mock intercepts this origin, which an active interception is about to intercept as well. */
  requireFree(origin: string): void;
  readonly areActive: boolean;
  end(): void;
}

export function createInterceptions(): Interceptions {
  const active = new Map<Disposable, InterceptOptions>();
  return {
    start(options) {
      const interception = interceptFetch(options);
      const tracked: Disposable = {
        [Symbol.dispose]() {
          active.delete(tracked);
          interception[Symbol.dispose]();
        },
      };
      active.set(tracked, options);
      return tracked;
    },
    requireFree(origin) {
      const all = [...active.values()];
      if (all.length > 0 && !all.some(({ origins }) => origins().has(origin))) requireFree(origin);
    },
    get areActive() {
      return active.size > 0;
    },
    end() {
      for (const each of [...active.keys()]) each[Symbol.dispose]();
    },
  };
}

interface InterceptOptions {
  /** Returns the intercepted origins at each request. Only one interception per origin can be active. */
  readonly origins: () => ReadonlySet<string>;
  readonly fetch: typeof fetch;
  /** `error`: requests to other origins fail, unless they are on this machine. Default: `bypass`. */
  readonly onUnhandled?: OnUnhandled | undefined;
  /** Answers a connection of the clients of `node:http` and `node:https`. Absent: those are not intercepted. */
  readonly connect?: Connect | undefined;
}

/** An interception is found by the mark on its function. Interceptions can wrap one another and end in any order. */
interface Interception {
  readonly origins: () => ReadonlySet<string>;
  readonly wrapped: Intercepted;
  /** Whether `top` is the function of this interception. A proxy of another library around it has the mark, too. */
  readonly isOn: (top: unknown) => boolean;
  active: boolean;
}

type Intercepted = ((this: never, ...args: never[]) => unknown) & { readonly [mark]?: Interception };

// Symbol.for is global to the process, so two copies of the test kit recognize each other's interceptions.
const mark: unique symbol = Symbol.for("postern.mock.interception");

/** Starts an interception. Disposing of the result ends it. */
export function interceptFetch(
  { origins, fetch: answer, onUnhandled, connect }: InterceptOptions,
): Disposable {
  for (const origin of origins()) requireFree(origin);
  const { prototypes, end } = connect === undefined ? noAgents : openAgents(connect);
  const ends = [
    intercept(globalThis, "fetch", origins, onUnhandled, {
      originOf: ([input]: Parameters<typeof fetch>) => readUrl(input)?.origin,
      answer: (_origin, args) => answer(...args),
      refuse: (error) => Promise.reject(error),
    }),
    ...prototypes.map(({ prototype, ...connecting }) =>
      intercept(prototype, "createConnection", origins, onUnhandled, connecting)
    ),
  ];
  return {
    [Symbol.dispose]() {
      for (const each of [...ends, end]) each();
    },
  };
}

interface Handling<Args extends readonly unknown[]> {
  /** Returns `undefined` for invalid arguments, because the wrapped function reports the error. */
  originOf(args: Args): string | undefined;
  answer(origin: string, args: Args): unknown;
  refuse(error: TypeError): unknown;
}

/** Replaces the function of the holder. The result ends the interception. */
function intercept<Args extends readonly unknown[]>(
  holder: object,
  name: string,
  origins: () => ReadonlySet<string>,
  onUnhandled: OnUnhandled | undefined,
  { originOf, answer, refuse }: Handling<Args>,
): () => void {
  const wrapped: Intercepted = Reflect.get(holder, name);
  const interception: Interception = {
    origins,
    wrapped,
    isOn: (top) => top === intercepting,
    active: true,
  };
  // A proxy, because a runtime or a test may have added members to the function.
  const intercepting = new Proxy(wrapped, {
    apply(_wrapped, self, args) {
      const origin = interception.active ? originOf(args as unknown as Args) : undefined;
      if (origin !== undefined) {
        if (origins().has(origin)) return answer(origin, args as unknown as Args);
        if (onUnhandled === "error" && !isHandledBelow(wrapped, origin)) {
          return refuse(unhandled(origin, origins()));
        }
      }
      return Reflect.apply(wrapped, self, args);
    },
    get: (_wrapped, name) => name === mark ? interception : Reflect.get(wrapped, name),
  });
  Reflect.set(holder, name, intercepting);
  return () => {
    interception.active = false;
    unwind(holder, name);
  };
}

/** Removes ended interceptions from the top, until the top is an active interception or another function. */
function unwind(holder: object, name: string): void {
  const findTop = (): Intercepted => Reflect.get(holder, name);
  for (let top = findMark(findTop()); top !== undefined; top = findMark(findTop())) {
    if (top.active || !top.isOn(findTop())) return;
    Reflect.set(holder, name, top.wrapped);
  }
}

/** Requests to this machine pass, because they are those of the test to its own application. */
function isHandledBelow(wrapped: Intercepted, origin: string): boolean {
  return namesThisMachine(new URL(origin).hostname) || findActive(wrapped, origin) !== undefined;
}

function findActive(top: Intercepted, origin: string): Interception | undefined {
  for (let each = findMark(top); each !== undefined; each = findMark(each.wrapped)) {
    if (each.active && each.origins().has(origin)) return each;
  }
  return undefined;
}

function unhandled(origin: string, origins: ReadonlySet<string>): TypeError {
  return new TypeError(
    `The request to ${origin} is refused, because onUnhandled is error: the mock answers for ` +
      `${[...origins].join(" and ")} only`,
  );
}

function requireFree(origin: string): void {
  if (findActive(globalThis.fetch as Intercepted, origin) === undefined) return;
  throw new Error(
    `Cannot intercept ${origin}: another mock already intercepts it. Dispose of that interception first, ` +
      "or give one of the two mocks another issuer",
  );
}

function findMark(intercepted: Intercepted): Interception | undefined {
  return intercepted[mark];
}

/** Returns `undefined` for an invalid URL, because the wrapped `fetch` reports the error. */
function readUrl(input: unknown): URL | undefined {
  const text = typeof input === "string" ? input : (input as Partial<Request> | null)?.url ?? String(input);
  return URL.canParse(text) ? new URL(text) : undefined;
}
