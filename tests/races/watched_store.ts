/** A wrapped store: each call goes through a function that may log it, delay it or make it fail. */
import type { Kind, PutTerms, Store } from "../../src/server/store/store.ts";

/** A call of the store, before it is performed. */
export interface Call {
  readonly verb: "get" | "put" | "delete";
  readonly kind: string;
  readonly id: string;
  /** The value and the condition of a put. */
  readonly value?: unknown;
  readonly condition?: "free" | "unchanged";
}

export type Around = <T>(call: Call, perform: () => Promise<T>) => Promise<T>;

export function watchStore(store: Store, around: Around): Store {
  const { list } = store;
  return {
    get: (kind, id, now) => around({ verb: "get", kind: kind.name, id }, () => store.get(kind, id, now)),
    put: (kind, id, value, terms) =>
      around(
        { verb: "put", kind: kind.name, id, value, ...conditionOf(terms) },
        () => store.put(kind, id, value, terms),
      ),
    delete: (kind: Kind<unknown>, id) =>
      around({ verb: "delete", kind: kind.name, id }, () => store.delete(kind, id)),
    ...(list === undefined ? {} : { list }),
    close: () => store.close(),
  };
}

function conditionOf({ if: condition }: PutTerms): Pick<Call, "condition"> {
  if (condition === undefined) return {};
  return { condition: condition === null ? "free" : "unchanged" };
}
