/** The functions of a store in Redis. Each record is one key, and each write is one command. */
import { createVersions, readName } from "../sql.ts";
import {
  type Entry,
  type Kind,
  type PutTerms,
  type Store,
  StoreUnavailable,
  type Version,
} from "../store.ts";
import type { Call, RedisConnection } from "./connect_redis.ts";
import { ifPermitted, RedisFailure } from "./redis_failure.ts";
import { putScript, readRecord, writeId, writeKind, writeRecord, writeTime } from "./redis_record.ts";

const scanCount = "250";

export async function createRedisStore(connection: RedisConnection, prefix: string): Promise<Store> {
  const { run } = connection;
  const createVersion = createVersions();
  const runScript = await createScript();
  const keyOf = ({ name }: Kind<unknown>, id: string) => `${prefix}:${writeKind(name)}:${writeId(id)}`;

  return {
    async get<T>(kind: Kind<T>, id: string, now: number): Promise<Entry<T> | undefined> {
      const key = keyOf(kind, id);
      const entry = readRecord<T>(await run((call) => call("GET", key)));
      return entry !== undefined && entry.expiresAt > now ? entry : undefined;
    },

    async put<T>(kind: Kind<T>, id: string, value: T, terms: PutTerms): Promise<Version | undefined> {
      const { if: condition } = terms;
      const mode = condition === undefined ? "always" : condition === null ? "free" : "version";
      const parameters = [keyOf(kind, id), mode, condition ?? "", writeTime(terms.now)];
      const { text, milliseconds } = writeRecord(value, terms);
      // Each attempt has a version of its own, so that a repeated write never brings a version back.
      const versions: Version[] = [];
      return await run(async (call, mayHaveArrived) => {
        versions.unshift(createVersion());
        const record = [`${versions[0]} ${text}`, milliseconds];
        const written = await runScript(call, [...parameters, ...record, ...versions]);
        if (written === null && mayHaveArrived) {
          throw new StoreUnavailable("An answer of Redis was lost, and the record has changed since");
        }
        return written === null ? undefined : String(written);
      });
    },

    async delete(kind: Kind<unknown>, id: string): Promise<void> {
      const key = keyOf(kind, id);
      await run((call) => call("DEL", key));
    },

    async *list<T>(kind: Kind<T>): AsyncIterable<Entry<T> & { readonly id: string }> {
      const start = `${prefix}:${writeKind(kind.name)}:`;
      for await (const keys of scan(connection, start)) {
        const texts = await Promise.all(keys.map((key) => run((call) => call("GET", key))));
        for (const [index, key] of keys.entries()) {
          const entry = readRecord<T>(texts[index]);
          if (entry !== undefined) yield { id: readName(key.slice(start.length)), ...entry };
        }
      }
    },

    async *kinds(): AsyncIterable<string> {
      const start = `${prefix}:`;
      const known = new Set<string>();
      for await (const keys of scan(connection, start)) {
        for (const key of keys) {
          const kind = key.slice(start.length, key.indexOf(":", start.length));
          if (known.has(kind)) continue;
          known.add(kind);
          yield readName(kind);
        }
      }
    },

    async clock(): Promise<number | undefined> {
      const time = await run((call) => ifPermitted(call("TIME")));
      if (time === undefined) return undefined;
      const [seconds, microseconds] = time as [string, string];
      return Number(seconds) + Number(microseconds) / 1e6;
    },

    forRequest: connection.forRequest,
    close: () => connection.close(),
  };
}

/** Yields pages of the keys that begin with `start`, each key once. */
async function* scan(connection: RedisConnection, start: string): AsyncIterable<readonly string[]> {
  const known = new Set<string>();
  const pattern = `${start.replace(/[\\*?[\]]/g, "\\$&")}*`;
  for (const master of await connection.masters()) {
    let cursor = "0";
    do {
      const [next, found] = await connection.run(
        (call) => call("SCAN", cursor, "MATCH", pattern, "COUNT", scanCount),
        master,
      ) as [string, string[]];
      // SCAN may return a key several times.
      const keys = [...new Set(found)].filter((key) => !known.has(key));
      for (const key of keys) known.add(key);
      yield keys;
      cursor = next;
    } while (cursor !== "0");
  }
}

/** Returns a function that runs the script by its hash. A server that has restarted does not know the hash. */
async function createScript(): Promise<(call: Call, parameters: readonly string[]) => Promise<unknown>> {
  const hash = await hashText(putScript);
  return async (call, parameters) => {
    try {
      return await call("EVALSHA", hash, "1", ...parameters);
    } catch (error) {
      if (!(error instanceof RedisFailure) || error.facts.code !== "NOSCRIPT") throw error;
      return await call("EVAL", putScript, "1", ...parameters);
    }
  };
}

/** Returns the SHA-1 hash in hexadecimal, as Redis names scripts. */
async function hashText(text: string): Promise<string> {
  const hash = await crypto.subtle.digest("SHA-1", new TextEncoder().encode(text));
  return Array.from(new Uint8Array(hash), (octet) => octet.toString(16).padStart(2, "0")).join("");
}
