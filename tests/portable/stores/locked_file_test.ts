/** A SQLite file that another connection locks: requests wait, and fail without a change when the wait is too long. */
import { assertEquals } from "@std/assert";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { sqliteStore } from "../../../src/mod.ts";
import { grants } from "../../../src/oauth/tokens/grant.ts";
import { test } from "../../runner.ts";
import { fire, openStormWorld } from "../../races/volley.ts";

const sqlite = await import("node:sqlite").catch(() => undefined);

type Lock = { release(): void };

/** A world over a file with one code, and another connection that can lock the file. */
function lockTest(
  name: string,
  lockWait: number,
  body: (at: {
    readonly world: ReturnType<typeof openStormWorld>;
    readonly code: string;
    readonly lock: () => Lock;
    readonly status: () => Promise<string | undefined>;
  }) => Promise<void>,
): void {
  if (sqlite === undefined) return test.skip(name, "this runtime has no node:sqlite");
  test(name, async () => {
    const folder = await mkdtemp(join(tmpdir(), "postern-"));
    const file = join(folder, "store.db");
    const store = await sqliteStore(file, { lockWait });
    const world = openStormWorld({ store });
    const connection = new sqlite.DatabaseSync(file);
    const code = await world.code();
    try {
      await body({
        world,
        code,
        lock() {
          connection.exec("BEGIN IMMEDIATE");
          return { release: () => connection.exec("ROLLBACK") };
        },
        status: async () => (await store.get(grants, code.split(".")[0]!, world.clock.now))?.value.status,
      });
    } finally {
      connection.close();
      await world.close();
      await store.close();
      await rm(folder, { recursive: true });
    }
  });
}

lockTest(
  "locked file: 50 simultaneous redemptions wait for the lock, and one succeeds",
  5,
  async ({ world, code, lock, status }) => {
    const { release } = lock();
    const firing = fire({ codes: [code], attempts: 50 }, world);
    await new Promise((resolve) => setTimeout(resolve, 200));
    assertEquals(await status(), "approved");
    release();
    assertEquals(await firing, [{ redeemed: 1, refused: 49, others: [] }]);
    assertEquals(await status(), "revoked");
  },
);

lockTest(
  "locked file: when the lock stays, 50 redemptions get 503 with Retry-After and change nothing",
  0.2,
  async ({ world, code, lock, status }) => {
    const { release } = lock();
    const responses = await Promise.all(Array.from({ length: 50 }, () => world.redeem(code)));
    for (const response of responses) {
      assertEquals([response.status, response.headers.get("retry-after")], [503, "2"]);
      assertEquals((await response.json()).error, "temporarily_unavailable");
    }
    release();
    assertEquals(await status(), "approved");
    assertEquals((await world.redeem(code)).status, 200);
  },
);
