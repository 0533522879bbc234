/** A memory store that records every write, so that a test can show that a refusal writes nothing. */

import { memoryStore } from "../../src/server/store/memory.ts";
import type { Kind, Store } from "../../src/server/store/store.ts";

export interface CountingStore extends Store {
  /** One line for each put or delete since the last `forget`: the verb, the kind, the id. */
  readonly writes: readonly string[];
  forget(): void;
}

export function countingStore(): CountingStore {
  const store = memoryStore();
  const writes: string[] = [];
  return {
    ...store,
    writes,
    forget: () => void writes.splice(0),
    put(kind, id, value, terms) {
      writes.push(`put ${kind.name} ${id}`);
      return store.put(kind, id, value, terms);
    },
    delete(kind, id) {
      writes.push(`delete ${kind.name} ${id}`);
      return store.delete(kind, id);
    },
  };
}

/** Every value of one kind. */
export async function valuesOf<T>(store: Store, kind: Kind<T>): Promise<T[]> {
  const values: T[] = [];
  for await (const { value } of store.list!(kind)) values.push(value);
  return values;
}
