/** Counts the store calls of an operation. */
import { memoryStore, type Store } from "../../src/mod.ts";
import { countStoreCalls, type StoreCall } from "./counted_store.ts";
import type { Operation } from "./operations.ts";
import { openSite } from "./site.ts";

/** Resolves to the calls of one operation, in their order. They are the same on every store. */
export async function countOperation(
  { prepare, options }: Operation,
  store: Store = memoryStore(),
): Promise<readonly StoreCall[]> {
  const counted = countStoreCalls(store);
  const site = await openSite(counted.store, options);
  try {
    // A process loads its secrets at the first login, and the key set completely when it is first asked for.
    await site.logIn();
    await site.get("/oauth2/jwks");
    return await counted.count(await prepare(site));
  } finally {
    await site.world.close();
    await store.close();
  }
}
