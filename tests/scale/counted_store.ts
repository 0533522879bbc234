/** A wrapped store that writes down its calls, with the octets of each value. */
import { type Kind, never, type PutTerms, type Store } from "../../src/server/store/store.ts";

/** `create`: a put with `if: null`. `replace`: a put with a version. `write`: a put without a condition. */
export type Verb = "read" | "create" | "replace" | "write" | "delete";

export interface StoreCall {
  readonly verb: Verb;
  readonly kind: string;
  /** The octets of the value as JSON. 0: no record was found, or the call has no value. */
  readonly octets: number;
  /** For how many seconds a put keeps the record. `Infinity`: for ever. 0: the call is no put. */
  readonly lifetime: number;
}

export interface CountedStore {
  readonly store: Store;
  /** Runs the work, and resolves to the calls that began meanwhile, in their order. */
  count(work: () => Promise<unknown>): Promise<readonly StoreCall[]>;
}

const encoder = new TextEncoder();

export function countStoreCalls(store: Store): CountedStore {
  let calls: StoreCall[] = [];

  const note = (verb: Verb, { name }: Kind<unknown>, value?: unknown, lifetime = 0) => {
    const octets = value === undefined ? 0 : encoder.encode(JSON.stringify(value)).length;
    calls.push({ verb, kind: name, octets, lifetime });
  };

  return {
    store: {
      ...store,
      async get(kind, id, now) {
        const entry = await store.get(kind, id, now);
        note("read", kind, entry?.value);
        return entry;
      },
      put(kind, id, value, terms) {
        note(verbOf(terms), kind, value, lifetimeOf(terms));
        return store.put(kind, id, value, terms);
      },
      delete(kind, id) {
        note("delete", kind);
        return store.delete(kind, id);
      },
    },
    async count(work) {
      calls = [];
      await work();
      return calls;
    },
  };
}

function lifetimeOf({ expiresAt, now }: PutTerms): number {
  return expiresAt >= never ? Infinity : expiresAt - now;
}

function verbOf({ if: condition }: PutTerms): Verb {
  if (condition === undefined) return "write";
  return condition === null ? "create" : "replace";
}
