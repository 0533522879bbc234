/** The store that `postern start` opens: what is shown of it, a reset, and one that is not there. */

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "../runner.ts";
import { openPostgres, runSql, testWithPostgres } from "../servers/postgres.ts";
import { openRedis, testWithRedis } from "../servers/redis.ts";
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

testWithPostgres(
  "store: a reset through the control plane deletes the records of Postgres, but not the keys",
  async () => {
    const { url, discard } = await openPostgres();
    await withServer(["--control", "--quiet"], async ({ issuer }) => {
      const kinds = async () =>
        (await runSql(url, "SELECT DISTINCT kind FROM postern_record ORDER BY kind")).map(({ kind }) => kind);
      const keys = async () => await (await fetch(`${issuer}/oauth2/jwks`)).json();
      const before = await keys();
      const call = async (path: string, body: unknown) => {
        const response = await fetch(`${issuer}/_postern/${path}`, {
          method: "POST",
          headers: { "content-type": "application/json" },
          body: JSON.stringify(body),
        });
        return { status: response.status, text: await response.text() };
      };
      const { refresh_token } = JSON.parse((await call("login", { username: "bob", client: "demo" })).text);
      assertEquals(await kinds(), ["grant", "key_set", "session"]);
      assertEquals((await call("reset", {})).status, 204);
      assertEquals((await call("refresh", { refresh_token, client: "demo" })).status, 422);
      assertEquals(await kinds(), ["key_set"]);
      assertEquals(await keys(), before);
    }, { env: { POSTERN_STORE: url } });
    await discard();
  },
);

test("store: a database that is not there ends the start with one line, without the password", async () => {
  const url = "postgres://ann:canary@127.0.0.1:1/shop?connect_timeout=1";
  const { code, stdout, stderr } = await runWith({ POSTERN_STORE: url }, "start", "--port", "0");
  assertEquals([code, stdout], [1, ""]);
  assertMatch(
    stderr,
    /^postern: Cannot open the store "postgres:\/\/ann@127\.0\.0\.1:1\/shop": nothing listens on 127\.0\.0\.1:1: .*\n$/,
  );
});
