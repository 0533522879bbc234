/** The stores that several processes can share, for tests that run over each of them. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { postgresStore } from "../../src/server/store/postgres.ts";
import { redisStore } from "../../src/server/store/redis.ts";
import { sqliteStore } from "../../src/server/store/sqlite.ts";
import type { Store } from "../../src/server/store/store.ts";
import { test } from "../runner.ts";
import { openPostgres, testWithPostgres } from "./postgres.ts";
import { openRedis, testWithRedis } from "./redis.ts";

export interface SharedStore {
  readonly name: string;
  /** Registers a test. It is skipped, with the reason, where the store's server or library is missing. */
  test(name: string, body: () => Promise<void>): void;
  /** Resolves to the name of an empty store, as `--store` takes it. */
  open(): Promise<{ readonly url: string; discard(): Promise<void> }>;
  /** Connects to the store of this name. */
  connect(url: string): Promise<Store>;
}

const sqlite = await import("node:sqlite").catch(() => undefined);

export const sharedStores: readonly SharedStore[] = [
  {
    name: "SQLite",
    test(name, body) {
      if (sqlite === undefined) test.skip(name, "this runtime has no node:sqlite");
      else test(name, body);
    },
    async open() {
      const folder = await mkdtemp(join(tmpdir(), "postern-"));
      return {
        url: `sqlite:${join(folder, "store.db")}`,
        discard: async () => await rm(folder, { recursive: true }),
      };
    },
    connect: (url) => sqliteStore(url.slice("sqlite:".length)),
  },
  { name: "Postgres", test: testWithPostgres, open: openPostgres, connect: postgresStore },
  { name: "Redis", test: testWithRedis, open: openRedis, connect: redisStore },
];
