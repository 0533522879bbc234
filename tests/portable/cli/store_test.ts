/** The store that `postern start` opens: the flag, the environment, and what is shown of it. */
import { assertEquals, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { openPostgres, runSql, testWithPostgres } from "../../servers/postgres.ts";
import { openRedis, testWithRedis } from "../../servers/redis.ts";
import { createProgram, type Ended, hasSqlite, inFolder, start } from "../../cli/command.ts";

(hasSqlite ? test : (name: string) => test.skip(name, "this runtime has no node:sqlite"))(
  "store: a server opens the store that POSTERN_STORE names",
  async () => {
    await inFolder(async (path) => {
      const args = ["start", "--port", "0", "--alg", "ES256"];
      const running = start(args, createProgram(args, { POSTERN_STORE: `sqlite:${path("postern.db")}` }));
      await running.printed(/^ {2}Store {5}sqlite:.+postern\.db$/m);
      running.signal("SIGTERM");
      await running.ended;
    });
  },
);

/** Starts two servers over one store, reads the keys of both, and stops them. */
async function readKeysOfTwo(
  url: string,
  shown: RegExp,
): Promise<{ readonly keys: readonly unknown[]; readonly ended: readonly Ended[] }> {
  const args = ["start", "--port", "0", "--alg", "ES256"];
  const servers = [1, 2].map(() => start(args, createProgram(args, { POSTERN_STORE: url })));
  let keys: readonly unknown[];
  try {
    keys = await Promise.all(servers.map(async (server) => {
      const [, issuer = ""] = await server.printed(/^ {2}Issuer\s+(\S+)$/m);
      await server.printed(shown);
      return await (await fetch(`${issuer}/oauth2/jwks`)).json();
    }));
  } finally {
    for (const server of servers) server.signal("SIGINT");
    await Promise.all(servers.map(({ ended }) => ended));
  }
  return { keys, ended: await Promise.all(servers.map(({ ended }) => ended)) };
}

testWithPostgres(
  "store: two servers over one Postgres share clients and keys, and show no password",
  async () => {
    const { url, discard } = await openPostgres();
    try {
      const [, password = ""] = /:([^:@/]+)@/.exec(url) ?? [];
      const shown = /^ {2}Store {5}postgres:\/\/postgres@127\.0\.0\.1:\d+\/postgres$/m;
      const { keys, ended } = await readKeysOfTwo(url, shown);
      assertEquals(keys[0], keys[1]);
      for (const { code, stdout, stderr } of ended) {
        assertEquals([code, stderr], [0, ""]);
        assertEquals(stdout.includes(password), false);
      }
    } finally {
      await discard();
    }
  },
);

testWithRedis(
  "store: two servers over one Redis share keys, warn of lost records and show no password",
  async () => {
    const { url, discard } = await openRedis();
    try {
      const { host, password, pathname } = new URL(url);
      const shown = new RegExp(`^ {2}Store {5}redis://${host}${pathname}$`, "m");
      const { keys, ended } = await readKeysOfTwo(url, shown);
      assertEquals(keys[0], keys[1]);
      for (const { code, stdout, stderr } of ended) {
        assertMatch(
          `${code} ${stderr}`,
          /^0 postern: The store "redis:\/\/\S+": append\S+ is .* come back\. .*\n$/,
        );
        assertEquals((stdout + stderr).includes(password), false);
      }
    } finally {
      await discard();
    }
  },
);

testWithPostgres(
  "store: a reset through the control plane deletes the records of Postgres, but not the keys",
  async () => {
    const { url, discard } = await openPostgres();
    const args = ["start", "--port", "0", "--alg", "ES256", "--control", "--quiet"];
    const server = start(args, createProgram(args, { POSTERN_STORE: url }));
    try {
      const [, issuer = ""] = await server.printed(/^ {2}Issuer\s+(\S+)$/m);
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
    } finally {
      server.signal("SIGTERM");
      await server.ended;
      await discard();
    }
  },
);

test("store: a database that is not there ends the start with one line, without the password", async () => {
  const args = ["start", "--port", "0"];
  const url = "postgres://ann:canary@127.0.0.1:1/shop?connect_timeout=1";
  const { code, stdout, stderr } = await start(args, createProgram(args, { POSTERN_STORE: url })).ended;
  assertEquals([code, stdout], [1, ""]);
  assertMatch(
    stderr,
    /^postern: Cannot open the store "postgres:\/\/ann@127\.0\.0\.1:1\/shop": nothing listens on 127\.0\.0\.1:1: .*\n$/,
  );
});
