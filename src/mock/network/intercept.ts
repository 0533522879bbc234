/** Intercepts the global `fetch` for one origin, and restores it afterwards. */

export interface InterceptTerms {
  /** Only one interception at a time may be for an origin. */
  readonly origin: string;
  readonly fetch: typeof fetch;
}

/** The mark on a `fetch` of ours. Several of them may wrap one another, and end in any order. */
interface Interception {
  readonly origin: string;
  readonly before: typeof fetch;
  /** Another proxy around our `fetch` shows our mark too, so the mark alone does not tell. */
  readonly isOn: (top: unknown) => boolean;
  active: boolean;
}

type Marked = typeof fetch & { readonly [mark]?: Interception };

// Global to the process: two copies of the kit must recognize each other.
const mark: unique symbol = Symbol.for("postern.mock.interception");

export function interceptFetch({ origin, fetch: answer }: InterceptTerms): Disposable {
  requireFree(origin);
  const before = globalThis.fetch;
  const interception: Interception = {
    origin,
    before,
    isOn: (top) => top === intercepting,
    active: true,
  };
  // A proxy keeps the other members that a runtime or a test has put on `fetch`.
  const intercepting = new Proxy(before, {
    apply(_before, self, args: Parameters<typeof fetch>) {
      const isOurs = interception.active && readUrl(args[0])?.origin === origin;
      return isOurs ? answer(...args) : Reflect.apply(before, self, args);
    },
    get: (_before, name) => name === mark ? interception : Reflect.get(before, name),
  });
  globalThis.fetch = intercepting;
  return {
    [Symbol.dispose]() {
      interception.active = false;
      unwind();
    },
  };
}

/** Removes the interceptions that have ended, down to the first `fetch` that is not ours. */
function unwind(): void {
  for (let top = findMark(globalThis.fetch); top !== undefined; top = findMark(globalThis.fetch)) {
    if (top.active || !top.isOn(globalThis.fetch)) return;
    globalThis.fetch = top.before;
  }
}

function requireFree(origin: string): void {
  for (let each = findMark(globalThis.fetch); each !== undefined; each = findMark(each.before)) {
    if (!each.active || each.origin !== origin) continue;
    throw new Error(
      `Cannot intercept ${origin}: another mock already intercepts it. Dispose of that interception first, ` +
        "or give one of the two mocks another issuer",
    );
  }
}

function findMark(fetch: Marked): Interception | undefined {
  return fetch[mark];
}

/** `undefined` for an invalid URL: the `fetch` before ours reports it. */
function readUrl(input: unknown): URL | undefined {
  const text = typeof input === "string" ? input : (input as Partial<Request> | null)?.url ?? String(input);
  return URL.canParse(text) ? new URL(text) : undefined;
}
