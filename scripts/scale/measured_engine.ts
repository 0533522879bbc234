/** The stores whose costs are measured: each with a server of its own, and what that server says about itself. */
import { DatabaseSync } from "node:sqlite";
import postgres from "postgres";
import { Redis } from "ioredis";
import { openStore } from "../../src/server/store/open_store.ts";
import { sqliteStore, type Store } from "../../src/mod.ts";
import { readCpuSeconds } from "../bench/server_process.ts";
import { startPostgres } from "../../tests/servers/start_postgres.ts";
import { startRedis } from "../../tests/servers/start_redis.ts";
import { startCountingProxy, type Traffic } from "./counting_proxy.ts";

export interface MeasuredEngine {
  readonly name: "sqlite" | "postgres" | "redis";
  /** For example `PostgreSQL 18.1`. */
  readonly version: string;
  readonly store: Store;
  /** Absent: the store has no server. */
  readonly traffic?: () => Traffic;
  /** Called before the work whose `written` octets are of interest. */
  settle(): Promise<void>;
  /** Octets that the engine has written to its log so far. */
  written(): Promise<number>;
  /** Octets of memory or disk that all records take. */
  size(): Promise<number>;
  /** Seconds of CPU time that the server has used for the store so far. Absent: the store has no server. */
  readonly cpu?: () => Promise<number>;
  close(): Promise<void>;
}

function warn(problem: string): void {
  console.error(problem);
}

export async function openSqlite(): Promise<MeasuredEngine> {
  const folder = await Deno.makeTempDir({ prefix: "postern-scale-" });
  const file = `${folder}/records.db`;
  const store = await sqliteStore(file);
  const database = new DatabaseSync(file);
  // The log is empty afterwards, so its length is what was written since.
  const settle = () => void database.prepare("PRAGMA wal_checkpoint(TRUNCATE)").all();
  const pragma = (name: string) => Number(Object.values(database.prepare(`PRAGMA ${name}`).get() ?? {})[0]);
  return {
    name: "sqlite",
    version: `SQLite ${Object.values(database.prepare("SELECT sqlite_version()").get() ?? {})[0]}`,
    store,
    settle: () => Promise.resolve(settle()),
    written: async () => (await Deno.stat(`${file}-wal`)).size,
    size: () => Promise.resolve((pragma("page_count") - pragma("freelist_count")) * pragma("page_size")),
    async close() {
      database.close();
      await store.close();
      await Deno.remove(folder, { recursive: true });
    },
  };
}

/** `fullPages`: the log gets each page whole when it changes for the first time after a checkpoint, as is usual. */
export async function openPostgres(
  { fullPages }: { readonly fullPages: boolean },
): Promise<MeasuredEngine> {
  const server = await startPostgres({
    settings: { full_page_writes: fullPages ? "on" : "off", autovacuum: "off" },
  });
  const proxy = await startCountingProxy(server.port);
  const sql = postgres(server.url, { max: 1, onnotice: () => {} });
  const store = await openStore(`${throughProxy(server.url, server.port, proxy.port)}?pool_size=1`, warn);
  const readNumber = async (text: string) => Number(Object.values((await sql.unsafe(text))[0] ?? {})[0]);
  return {
    name: "postgres",
    version: `PostgreSQL ${(await sql.unsafe("SHOW server_version"))[0]?.["server_version"]}`,
    store,
    traffic: proxy.traffic,
    settle: async () => void await sql.unsafe("CHECKPOINT"),
    written: () => readNumber("SELECT pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0')"),
    size: () => readNumber("SELECT pg_total_relation_size('postern_record')"),
    async cpu() {
      const pid = await readNumber("SELECT pid FROM pg_stat_activity WHERE application_name = 'postern'");
      return readCpuSeconds(pid);
    },
    async close() {
      await sql.end();
      await store.close();
      await proxy.close();
      await server.end();
    },
  };
}

export async function openRedis(): Promise<MeasuredEngine> {
  const server = await startRedis({ appendonly: "yes", appendfsync: "always", databases: "1" });
  const proxy = await startCountingProxy(server.port);
  const client = new Redis(server.url);
  const store = await openStore(throughProxy(server.url, server.port, proxy.port), warn);
  const readInfo = async (section: string, member: string) =>
    new RegExp(`^${member}:(.*?)\r$`, "m").exec(await client.info(section))?.[1] ?? "";
  return {
    name: "redis",
    version: `Redis ${await readInfo("server", "redis_version")}`,
    store,
    traffic: proxy.traffic,
    settle: () => Promise.resolve(),
    written: async () => Number(await readInfo("persistence", "aof_current_size")),
    size: async () => Number(await readInfo("memory", "used_memory")),
    cpu: async () =>
      Number(await readInfo("cpu", "used_cpu_user")) + Number(await readInfo("cpu", "used_cpu_sys")),
    async close() {
      client.disconnect();
      await store.close();
      await proxy.close();
      await server.end();
    },
  };
}

function throughProxy(url: string, port: number, proxyPort: number): string {
  return url.replace(`:${port}`, `:${proxyPort}`);
}
