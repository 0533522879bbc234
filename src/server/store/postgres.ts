/** A store in a table of Postgres, through the package `postgres`. */
import type { PostgresClient, PostgresStoreOptions } from "./postgres/postgres_client.ts";
import type { Store } from "./store.ts";

/**
 * Opens a store in the database of a URL, such as `postgres://user:password@host/database`, and creates its table there.
 * Closing the store ends its connections. Instead of a URL the caller may pass a client, which the store leaves open. Its
 * connections should have the setting `enable_seqscan: "off"`, as those of the store have: Postgres may otherwise read the
 * whole table for each call while the table grows quickly.
 * Rejects with a `TypeError` or, if a later attempt may succeed, with `StoreUnavailable`.
 */
export async function postgresStore(
  urlOrClient: string | PostgresClient,
  options: PostgresStoreOptions = {},
): Promise<Store> {
  // Loaded now, because most programs use another store.
  const { openPostgresStore } = await import("./postgres/open_postgres_store.ts");
  return await openPostgresStore(urlOrClient, options);
}
