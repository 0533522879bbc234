/** The store that `postern start` opens: what is shown of it, and one that is not there. */

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { openRedis, testWithRedis } from "../../servers/redis.ts";
import { runWith, withServer } from "./in_process.ts";

testWithRedis("store: a server over Redis warns of lost records, and shows no password", async () => {
  const { url, discard } = await openRedis();
  const { host, password, pathname } = new URL(url);
  const env = { POSTERN_STORE: url };
  const { code, stdout, stderr } = await withServer([], () => Promise.resolve(), { env });
  assertMatch(stdout, new RegExp(`^ {2}Store {5}redis://${host}${pathname}$`, "m"));
  assertMatch(
    `${code} ${stderr}`,
    /^0 postern: The store "redis:\/\/\S+": append\S+ is .* come back\. .*\n$/,
  );
  assertEquals((stdout + stderr).includes(password), false);
  await discard();
});

test("store: a database that is not there ends the start with one line, without the password", async () => {
  const url = "postgres://ann:canary@127.0.0.1:1/shop?connect_timeout=1";
  const { code, stdout, stderr } = await runWith({ POSTERN_STORE: url }, "start", "--port", "0");
  assertEquals([code, stdout], [1, ""]);
  assertMatch(
    stderr,
    /^postern: Cannot open the store "postgres:\/\/ann@127\.0\.0\.1:1\/shop": nothing listens on 127\.0\.0\.1:1: .*\n$/,
  );
});
