/** The interceptions of the global `fetch` by a mock, and how one begins and ends. */

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
}

/** An interception is found by the mark on its `fetch`. Interceptions can wrap one another and end in any order. */
interface Interception {
  readonly origins: () => ReadonlySet<string>;
  readonly wrappedFetch: typeof fetch;
  /** Whether `top` is the `fetch` of this interception. A proxy of another library around it has the mark, too. */
  readonly isOn: (top: unknown) => boolean;
  active: boolean;
}

type Marked = typeof fetch & { readonly [mark]?: Interception };

// Symbol.for is global to the process, so two copies of the test kit recognize each other's interceptions.
const mark: unique symbol = Symbol.for("postern.mock.interception");

/** Starts an interception. Disposing of the result ends it. */
export function interceptFetch({ origins, fetch: answer }: InterceptOptions): Disposable {
  for (const origin of origins()) requireFree(origin);
  const wrappedFetch = globalThis.fetch;
  const interception: Interception = {
    origins,
    wrappedFetch,
    isOn: (top) => top === intercepting,
    active: true,
  };
  // A proxy, because a runtime or a test may have added members to `fetch`.
  const intercepting = new Proxy(wrappedFetch, {
    apply(_wrappedFetch, self, args: Parameters<typeof fetch>) {
      const isOurs = interception.active && origins().has(readUrl(args[0])?.origin ?? "");
      return isOurs ? answer(...args) : Reflect.apply(wrappedFetch, self, args);
    },
    get: (_wrappedFetch, name) => name === mark ? interception : Reflect.get(wrappedFetch, name),
  });
  globalThis.fetch = intercepting;
  return {
    [Symbol.dispose]() {
      interception.active = false;
      unwind();
    },
  };
}

/** Removes ended interceptions from the top, until the top is an active interception or another function. */
function unwind(): void {
  for (let top = findMark(globalThis.fetch); top !== undefined; top = findMark(globalThis.fetch)) {
    if (top.active || !top.isOn(globalThis.fetch)) return;
    globalThis.fetch = top.wrappedFetch;
  }
}

function requireFree(origin: string): void {
  for (let each = findMark(globalThis.fetch); each !== undefined; each = findMark(each.wrappedFetch)) {
    if (!each.active || !each.origins().has(origin)) continue;
    throw new Error(
      `Cannot intercept ${origin}: another mock already intercepts it. Dispose of that interception first, ` +
        "or give one of the two mocks another issuer",
    );
  }
}

function findMark(fetch: Marked): Interception | undefined {
  return fetch[mark];
}

/** Returns `undefined` for an invalid URL, because the wrapped `fetch` reports the error. */
function readUrl(input: unknown): URL | undefined {
  const text = typeof input === "string" ? input : (input as Partial<Request> | null)?.url ?? String(input);
  return URL.canParse(text) ? new URL(text) : undefined;
}
