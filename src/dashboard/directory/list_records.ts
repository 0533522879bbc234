/** Lists records for pages on which a developer looks at the server. The engine finds each record by its id. */

import type { Entry, Kind } from "../../store/store.ts";
import type { Services } from "../../oauth/services.ts";

export interface RecordList<T> {
  readonly found: readonly T[];
  /** False if the store cannot list records, or has more of this kind than one page may read. */
  readonly isComplete: boolean;
}

// Enough for a developer, and a bound for a server that a load test has filled.
const mostRead = 2000;

/** Lists the records of a kind that are not expired. `read` returns `undefined` for a record to leave out. */
export async function listRecords<T, R>(
  kind: Kind<T>,
  read: (record: Entry<T> & { readonly id: string }) => R | undefined,
  { store, now }: Pick<Services, "store" | "now">,
): Promise<RecordList<R>> {
  const found: R[] = [];
  if (store.list === undefined) return { found, isComplete: false };
  let count = 0;
  for await (const record of store.list(kind)) {
    if (record.expiresAt <= now()) continue;
    if (++count > mostRead) return { found, isComplete: false };
    const item = read(record);
    if (item !== undefined) found.push(item);
  }
  return { found, isComplete: true };
}
