/** A store in Redis, or in a server that speaks its protocol. */
import type { RedisClient } from "./redis/create_client.ts";
import type { RedisStoreOptions } from "./redis/open_redis_store.ts";
import type { Store } from "./store.ts";

export type { RedisClient, RedisStoreOptions };

/**
 * Connects to Redis with the package `ioredis`, which is loaded now. A client of ioredis gives only its options: the store
 * opens connections of its own, and closes them. The store has no `sweep`, because Redis removes expired records itself.
 */
export async function redisStore(
  urlOrClient: string | RedisClient,
  options: RedisStoreOptions = {},
): Promise<Store> {
  const { openRedisStore } = await import("./redis/open_redis_store.ts");
  return await openRedisStore(urlOrClient, options);
}
