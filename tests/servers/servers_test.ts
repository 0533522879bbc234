/** The database servers of the tests. */
import { assertEquals, assertNotEquals, assertRejects } from "@std/assert";
import { stat } from "node:fs/promises";
import { openPostgres, runSql, testWithPostgres } from "./postgres.ts";
import { openRedis, testWithRedis } from "./redis.ts";
import { startPostgres } from "./start_postgres.ts";
import { startRedis } from "./start_redis.ts";

testWithPostgres("test servers: each Postgres schema is empty, and gone afterwards", async () => {
  const [one, other] = await Promise.all([openPostgres(), openPostgres()]);
  await runSql(one.url, "CREATE TABLE thing (id TEXT)");
  await assertRejects(() => runSql(other.url, "SELECT * FROM thing"), Error, "does not exist");
  await Promise.all([one.discard(), other.discard()]);
  await assertRejects(() => runSql(one.url, "SELECT * FROM thing"), Error, "does not exist");
});

testWithPostgres("test servers: a Postgres that was killed starts again with its data", async () => {
  const server = await startPostgres();
  try {
    await runSql(server.url, "CREATE TABLE thing (id TEXT)");
    await server.kill();
    await assertRejects(() => runSql(server.url, "SELECT 1"));
    await server.start();
    assertEquals((await runSql(server.url, "SELECT * FROM thing")).length, 0);
  } finally {
    await server.end();
  }
  await assertRejects(() => stat(server.folder), Error, "ENOENT");
});

testWithRedis("test servers: each Redis database is another one", async () => {
  const [one, other] = await Promise.all([openRedis(), openRedis()]);
  assertNotEquals(one.url, other.url);
  await Promise.all([one.discard(), other.discard()]);
});

testWithRedis("test servers: a Redis that was killed starts again", async () => {
  const server = await startRedis();
  await server.kill();
  await server.start();
  await server.end();
  await assertRejects(() => stat(server.folder), Error, "ENOENT");
});
