/** Opens a store in Redis, and checks that Redis keeps its records. */
import { type Store, StoreUnavailable } from "../store.ts";
import { hidePassword } from "../../../ground/values/hide_password.ts";
import { connectRedis, type RedisConnection } from "./connect_redis.ts";
import type { RedisClient } from "./create_client.ts";
import { createRedisStore } from "./create_redis_store.ts";
import { examineSettings } from "./examine_settings.ts";
import { RedisFailure } from "./redis_failure.ts";
import { readRedisUrl } from "./redis_url.ts";

/** Options of a store in Redis. */
export interface RedisStoreOptions {
  /** Begins the name of each key, so that several stores can share one Redis. Default: `postern`. */
  readonly prefix?: string;
  /** How many seconds a call takes at most. Then it rejects with `StoreUnavailable`. Default: 5. */
  readonly timeout?: number;
  /** Called with each setting of Redis that may lose records; `postern start` prints the text. */
  readonly warn?: (problem: string) => void;
}

export async function openRedisStore(
  urlOrClient: string | RedisClient,
  { prefix = "postern", timeout = 5, warn = () => {} }: RedisStoreOptions,
): Promise<Store> {
  const isUrl = typeof urlOrClient === "string";
  const label = isUrl ? hidePassword(urlOrClient) : "Redis";
  const source = isUrl ? readRedisUrl(urlOrClient) : urlOrClient;
  let connection: RedisConnection | undefined;
  try {
    connection = await connectRedis(source, timeout);
    const warnings = await checkSettings(connection);
    const store = await createRedisStore(connection, prefix);
    await tryToWrite(store);
    for (const warning of warnings) warn(`The store "${label}": ${warning}`);
    return store;
  } catch (error) {
    await connection?.close();
    throw describeOpening(error, label);
  }
}

/** Refuses a server that would lose records. Returns what else the operator must know. */
async function checkSettings(
  { run, masters, isCluster, hasUnusedPassword }: RedisConnection,
): Promise<ReadonlySet<string>> {
  const warnings = new Set<string>();
  for (const master of await masters()) {
    const findings = await run((call) => examineSettings(call, isCluster), master);
    if (findings.refusal !== undefined) throw new TypeError(findings.refusal);
    for (const warning of findings.warnings) warnings.add(warning);
  }
  if (hasUnusedPassword()) {
    warnings.add(
      "Redis got a password but needs none, so any program that reaches Redis can change the records. Set requirepass, " +
        "or remove the password",
    );
  }
  return warnings;
}

/** Finds out now, and not at the first login, whether Redis permits this user the commands and the keys. */
async function tryToWrite(store: Store): Promise<void> {
  const kind = { name: "start" };
  const id = crypto.randomUUID();
  await store.put(kind, id, null, { now: 0, expiresAt: 60, if: null });
  await store.get(kind, id, 0);
  await store.delete(kind, id);
}

function describeOpening(error: unknown, label: string): Error {
  const text = `Cannot open the store "${label}": ${(error as Error).message}`;
  const options = { cause: (error as Error).cause };
  if (!(error instanceof StoreUnavailable)) return new TypeError(text, options);
  const { code, isTemporary = true } = error instanceof RedisFailure ? error.facts : {};
  if (!isTemporary) return new TypeError(text, options);
  return new StoreUnavailable(code === undefined ? `${text}: ${advice}` : text, options);
}

const advice = "check that Redis runs at this address, and expects TLS for rediss:// and none for redis://";
