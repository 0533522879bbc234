/** The store that `postern start` opens: what is shown of it. */

import { assertEquals, assertMatch } from "@std/assert";
import { openRedis, testWithRedis } from "../../servers/redis.ts";
import { withServer } from "./in_process.ts";

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
