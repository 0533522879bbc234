/** Puts a mock under the global `fetch`, for its own origin only, and takes it away again without a trace. */

export interface InterceptTerms {
  /** Whose requests these are: at most one interception at a time is for it. */
  readonly origin: string;
  readonly fetch: typeof fetch;
}

/** What is written on a `fetch` of ours, because several may lie over one another and go in any order. */
interface Interception {
  readonly origin: string;
  readonly before: typeof fetch;
  /** Somebody else's proxy around ours shows our mark, and is not ours. */
  readonly isOn: (top: unknown) => boolean;
  active: boolean;
}

type Marked = typeof fetch & { readonly [mark]?: Interception };

// Of the whole process: two copies of the kit must see each other.
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
  // A proxy, so that whatever else a runtime or a test has put on `fetch` is still there.
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

/** Takes off what is no longer in use, as far down as nobody else has put theirs over it. */
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
      `Cannot intercept ${origin}: a mock does so already. Dispose of that interception first, ` +
        "or give one of the two mocks another issuer",
    );
  }
}

function findMark(fetch: Marked): Interception | undefined {
  return fetch[mark];
}

/** Undefined where it is none: the `fetch` before knows what to say about that. */
function readUrl(input: unknown): URL | undefined {
  const text = typeof input === "string" ? input : (input as Partial<Request> | null)?.url ?? String(input);
  return URL.canParse(text) ? new URL(text) : undefined;
}
