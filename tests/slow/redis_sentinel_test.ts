/** The Redis store behind a Sentinel: a failover to the replica, and the old primary that comes back. */
import { assertEquals, assertExists } from "@std/assert";
import { spawn } from "node:child_process";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redisStore } from "../../src/server/store/redis.ts";
import { findFreePort } from "../free_port.ts";
import { askRedis } from "../servers/ask_redis.ts";
import { testWithRedis } from "../servers/redis.ts";
import { startRedis } from "../servers/start_redis.ts";

const note = { name: "note" };
const terms = { now: 0, expiresAt: 60 };
const password = "sentinel-password";
const login = { requirepass: password, masterauth: password, "repl-diskless-sync-delay": "0" };

testWithRedis("redis store: writes go on after a failover, and never to the old primary", async () => {
  const primary = await startRedis(login);
  const replica = await startRedis({ ...login, replicaof: `127.0.0.1 ${primary.port}` });
  const sentinel = await startSentinel(primary.port);
  const store = await redisStore(`redis://:${password}@127.0.0.1:${sentinel.port}?sentinel=mymaster`, {
    timeout: 60,
  });
  try {
    const version = await store.put(note, "a", 1, terms);
    await until(async () => `${await askRedis(urlOf(replica.port), "EXISTS", "postern:note:a")}` === "1");
    await until(async () =>
      `${await askRedis(sentinel.url, "SENTINEL", "replicas", "mymaster")}`.includes("slave")
    );
    await primary.kill();
    const second = await store.put(note, "a", 2, { ...terms, if: version! });
    assertExists(second);
    await primary.start();
    await until(async () => `${await askRedis(urlOf(primary.port), "ROLE")}`.startsWith("slave"));
    assertExists(await store.put(note, "a", 3, { ...terms, if: second }));
    assertEquals((await store.get(note, "a", 0))?.value, 3);
  } finally {
    await store.close();
    await sentinel.end();
    await replica.end();
    await primary.end();
  }
});

function urlOf(port: number): string {
  return `redis://:${password}@127.0.0.1:${port}`;
}

async function startSentinel(primaryPort: number) {
  const folder = await mkdtemp(join(tmpdir(), "postern-sentinel-"));
  const port = await findFreePort();
  const file = join(folder, "sentinel.conf");
  const settings = [
    `port ${port}`,
    "bind 127.0.0.1",
    `sentinel monitor mymaster 127.0.0.1 ${primaryPort} 1`,
    `sentinel auth-pass mymaster ${password}`,
    "sentinel down-after-milliseconds mymaster 500",
    "sentinel failover-timeout mymaster 3000",
  ];
  await writeFile(file, settings.join("\n"));
  const child = spawn("redis-server", [file, "--sentinel"], { cwd: folder, stdio: "ignore" });
  const ended = new Promise<void>((resolve) => child.on("close", () => resolve()));
  const url = `redis://127.0.0.1:${port}`;
  await until(() => askRedis(url, "PING").then(() => true, () => false));
  return {
    port,
    url,
    async end() {
      child.kill("SIGKILL");
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}

/** Repeats the question until its answer is true. The test runner limits the time. */
async function until(question: () => Promise<boolean>): Promise<void> {
  while (!await question()) await new Promise((resolve) => setTimeout(resolve, 50));
}
