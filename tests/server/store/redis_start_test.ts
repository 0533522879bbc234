/** What a Redis store checks when it opens: the URL's login and database, and the settings of the server. */
import { assert, assertEquals, assertExists, assertMatch, assertRejects } from "@std/assert";
import { join, resolve } from "node:path";
import { inspect } from "node:util";
import { redisStore } from "../../../src/server/store/redis.ts";
import { type Kind, StoreUnavailable } from "../../../src/server/store/store.ts";
import { findFreePort } from "../../free_port.ts";
import { askRedis } from "../../servers/ask_redis.ts";
import { testWithRedis } from "../../servers/redis.ts";
import { type RedisServer, startRedis } from "../../servers/start_redis.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };

/** A test with a server of its own. */
function serverTest(
  behaviour: string,
  settings: Readonly<Record<string, string>>,
  body: (server: RedisServer) => Promise<void>,
): void {
  testWithRedis(`redis store: ${behaviour}`, async () => {
    const server = await startRedis(settings);
    try {
      await body(server);
    } finally {
      await server.end();
    }
  });
}

/** Opens the store and closes it. Resolves to its warnings. */
async function openAndClose(url: string): Promise<readonly string[]> {
  const warnings: string[] = [];
  await (await redisStore(url, { warn: (problem) => void warnings.push(problem) })).close();
  return warnings;
}

/** Opening waits for this many seconds for an error to pass, and longer if nothing has answered meanwhile. */
async function complaintOf(url: string, timeout = 0.3): Promise<string> {
  const { message } = await assertRejects(() => redisStore(url, { timeout }), StoreUnavailable);
  return message.includes("does not answer") ? await complaintOf(url, 2 * timeout) : message;
}

for (const policy of ["allkeys-lru", "volatile-ttl"]) {
  serverTest(
    `maxmemory-policy ${policy} is refused`,
    { "maxmemory-policy": policy },
    async ({ url, port }) => {
      const error = await assertRejects(() => redisStore(url), TypeError);
      assertEquals(
        error.message,
        `Cannot open the store "redis://127.0.0.1:${port}": its maxmemory-policy is ${policy}, so it would delete live ` +
          "records when its memory is full: set maxmemory-policy noeviction",
      );
    },
  );
}

serverTest(
  "each setting that may lose records causes a warning",
  { appendonly: "yes" },
  async ({ url, port }) => {
    const start = `The store "redis://127.0.0.1:${port}": `;
    const consequence = "then used codes and refresh tokens work again, and revoked grants come back";
    assertEquals(await openAndClose(url), [
      `${start}appendfsync is everysec, so a crash of Redis loses up to two seconds of writes; ${consequence}. ` +
      "Set appendfsync always",
    ]);
    await askRedis(url, "CONFIG", "SET", "appendfsync", "always");
    assertEquals(await openAndClose(url), []);
    await askRedis(url, "CONFIG", "SET", "appendonly", "no");
    assertEquals(await openAndClose(url), [
      `${start}appendonly is no, so a crash or a restart of Redis loses everything since its last snapshot; ` +
      `${consequence}. Set appendonly yes and appendfsync always`,
    ]);
  },
);

serverTest(
  "a cluster whose servers have no slots is not ready",
  { "cluster-enabled": "yes" },
  async ({ url }) => {
    assertMatch(
      await complaintOf(`${url}?cluster=true`),
      /The cluster of Redis is not ready, as CLUSTER INFO may explain \(waited/,
    );
  },
);

testWithRedis("redis store: a server with replicas causes a warning about failovers", async () => {
  const primary = await startRedis({
    appendonly: "yes",
    appendfsync: "always",
    "repl-diskless-sync-delay": "0",
  });
  const replica = await startRedis({
    replicaof: `127.0.0.1 ${primary.port}`,
    masterauth: primary.password,
  });
  try {
    let warnings: readonly string[] = [];
    while (warnings.length === 0) warnings = await openAndClose(primary.url);
    assertMatch(warnings[0]!, /replicas later, so a failover loses the last writes; .* use Postgres$/);
  } finally {
    await replica.end();
    await primary.end();
  }
});

serverTest(
  "a user without INFO and CONFIG can use the store, and is told what is not checked",
  { appendonly: "yes" },
  async (server) => {
    const commands = ["+get", "+del", "+eval", "+evalsha", "+getrange", "+set"];
    await askRedis(server.url, "ACL", "SETUSER", "app", "on", ">p:w@/", "~postern:*", ...commands);
    const url = `redis://app:p%3Aw%40%2F@127.0.0.1:${server.port}`;
    const warnings: string[] = [];
    const store = await redisStore(url, { warn: (problem) => void warnings.push(problem) });
    try {
      assertEquals(warnings, [
        `The store "redis://app@127.0.0.1:${server.port}": could not check maxmemory-policy and appendonly, because ` +
        "INFO is not permitted: maxmemory-policy must be noeviction",
      ]);
      assertExists(await store.put(note, "a", 1, { ...terms, if: null }));
      assertEquals((await store.get(note, "a", now))?.value, 1);
      assertEquals(await store.clock!(), undefined, "the time is not known");
    } finally {
      await store.close();
    }
    await askRedis(server.url, "ACL", "SETUSER", "app", "+info");
    assertMatch(
      (await openAndClose(url))[0]!,
      /could not check appendfsync, because CONFIG is not permitted/,
    );
  },
);

serverTest("a user who lacks a command or the keys is refused when the store opens", {}, async (server) => {
  const url = `redis://app:secret@127.0.0.1:${server.port}`;
  await askRedis(server.url, "ACL", "SETUSER", "app", "on", ">secret", "~other:*", "+@all");
  await assertRejects(() => redisStore(url), TypeError, "does not permit its user");
  await (await redisStore(url, { prefix: "other" })).close();
  await askRedis(server.url, "ACL", "SETUSER", "app", "~postern:*", "-eval", "-evalsha");
  await assertRejects(() => redisStore(url), TypeError, "does not permit its user");
});

serverTest(
  "a wrong login or database is refused, and no error has the password",
  {},
  async ({ port, password }) => {
    const server = `127.0.0.1:${port}`;
    const cases: readonly (readonly [url: string, shown: string, problem: string])[] = [
      [`redis://:canary@${server}`, `redis://${server}`, "Redis refuses the user or the password"],
      [`redis://ann:canary@${server}`, `redis://ann@${server}`, "Redis refuses the user or the password"],
      [`redis://${server}`, `redis://${server}`, "Redis requires a password"],
      [`redis://:${password}@${server}/20000`, `redis://${server}/20000`, "Redis does not have the database"],
      [`redis://:${password}@${server}?cluster=true`, `redis://${server}`, "remove cluster=true"],
    ];
    for (const [url, shown, problem] of cases) {
      const error = await assertRejects(() => redisStore(url), TypeError, problem);
      assert(error.message.startsWith(`Cannot open the store "${shown}": `), error.message);
      const everything = inspect(error, { depth: 10, showHidden: true });
      assert(!everything.includes("canary") && !everything.includes(password), everything);
    }
  },
);

serverTest(
  "a server that accepts no more connections is unavailable",
  { maxclients: "1" },
  async ({ url, port }) => {
    const first = await redisStore(url);
    assertMatch(
      await complaintOf(url),
      new RegExp(
        `^Cannot open the store "redis://127.0.0.1:${port}": .*accepts no more connections \\(maxclients\\)`,
      ),
    );
    await first.close();
  },
);

testWithRedis("redis store: opening waits for a server, and then says that nothing answers", async () => {
  const port = await findFreePort();
  const url = `redis://:canary@127.0.0.1:${port}`;
  assertMatch(
    await complaintOf(url),
    new RegExp(
      `^Cannot open the store "redis://127.0.0.1:${port}": Redis cannot be reached: .*ECONNREFUSED.*: check that Redis runs`,
    ),
  );
  const opening = redisStore(url, { timeout: 60 });
  const server = await startRedis({ port: `${port}`, requirepass: "canary" });
  await (await opening).close();
  await server.end();
});

serverTest("a unix socket is opened by its path", { unixsocket: "redis.sock" }, async (server) => {
  const url = `redis+unix://:${server.password}@${server.folder}/redis.sock?db=3`;
  const store = await redisStore(url);
  await store.put(note, "a", 1, terms);
  await store.close();
  assertEquals(await askRedis(`${server.url}/3`, "KEYS", "*"), ["postern:note:a"]);
  assertEquals(await askRedis(server.url, "KEYS", "*"), []);
});

const certificates = resolve("tests/certificates");

serverTest("TLS needs the authority of the server, and a file that can be read", {
  "tls-cert-file": join(certificates, "localhost.crt"),
  "tls-key-file": join(certificates, "localhost.key"),
  "tls-ca-cert-file": join(certificates, "authority.crt"),
  "tls-auth-clients": "no",
}, async ({ url, password }) => {
  const port = await findFreePort();
  await askRedis(url, "CONFIG", "SET", "tls-port", `${port}`);
  const secure = `rediss://:${password}@localhost:${port}`;
  await openAndClose(`${secure}?ca=${join(certificates, "authority.crt")}`);
  const unknown = await assertRejects(
    () => redisStore(secure),
    TypeError,
    "; ca=FILE in the URL names an authority",
  );
  assertMatch(unknown.message, /self.signed certificate in certificate chain/);
  await assertRejects(
    () => redisStore(`${secure}?ca=${join(certificates, "missing.crt")}`),
    TypeError,
    `Cannot open the store "rediss://localhost:${port}": its file ca cannot be read: ENOENT`,
  );
});
