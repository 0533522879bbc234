/** How long a request waits for its store in all: Postgres and Redis behind a proxy, and the time of each call. */
import { assertEquals } from "@std/assert";
import { createServer, type Kind, postgresStore, type Store } from "../../../src/mod.ts";
import { deadlineIn } from "../../../src/server/store/deadline.ts";
import { partOfStore } from "../../../src/server/store/store.ts";
import { redisStore } from "../../../src/server/store/redis.ts";
import { createTimeLimits, type TimeLimits } from "../../../src/server/store/time_limits.ts";
import { test } from "../../runner.ts";
import { openPostgres, testWithPostgres } from "../../servers/postgres.ts";
import { openRedis, testWithRedis } from "../../servers/redis.ts";
import { startTcpProxy, type TcpProxy } from "../../servers/tcp_proxy.ts";

const note: Kind<unknown> = { name: "note" };
const issuer = "https://id.test";
/** Seconds. */
const timeout = 10;

/** A request whose first read of the store is answered late, and whose later calls are never answered. */
async function assertRequestGivesUp(store: Store, proxy: TcpProxy): Promise<void> {
  let reads: number | undefined;
  const { promise: first, resolve: noteFirst } = Promise.withResolvers<void>();
  const { now: performanceNow } = performance;
  const server = createServer({
    issuer,
    registration: {},
    store: partOfStore({
      ...store,
      async get(kind, id, now) {
        if (reads === undefined || ++reads > 1) return await store.get(kind, id, now);
        const reading = store.get(kind, id, now);
        const late = performance.now() + (timeout - 0.1) * 1000;
        // The clock stands still until the answer, which a busy machine may give late.
        performance.now = () => late;
        const entry = await reading;
        const passed = late - performanceNow.call(performance);
        performance.now = () => performanceNow.call(performance) + passed;
        proxy.hold();
        noteFirst();
        return entry;
      },
    }, "part"),
  });
  const registered = await server.fetch(
    new Request(`${issuer}/connect/register`, {
      method: "POST",
      headers: { "content-type": "application/json" },
      body: JSON.stringify({
        redirect_uris: ["https://app.test/callback"],
        token_endpoint_auth_method: "none",
      }),
    }),
  );
  const { client_id } = await registered.json();
  let isAloneOver = false;
  // It begins with the second call of the request, and has all its time.
  const alone = first.then(() => store.get(note, "a", 0)).finally(() => isAloneOver = true);
  reads = 0;
  const response = await server.fetch(
    new Request(`${issuer}/oauth2/par`, {
      method: "POST",
      body: new URLSearchParams({
        client_id,
        response_type: "code",
        redirect_uri: "https://app.test/callback",
        code_challenge: "a".repeat(43),
        code_challenge_method: "S256",
      }),
    }),
  ).finally(() => performance.now = performanceNow);
  assertEquals([response.status, response.headers.has("retry-after"), isAloneOver], [503, true, false]);
  // Connections that were held end, so the call tries again.
  proxy.pass();
  assertEquals(await alone, undefined);
  await server.close();
}

testWithPostgres("time limits: a late answer of Postgres leaves a request the rest of its time", async () => {
  const { url, discard } = await openPostgres();
  const { host, port } = new URL(url);
  const proxy = await startTcpProxy(Number(port));
  const store = await postgresStore(url.replace(host, `127.0.0.1:${proxy.port}`), { timeout });
  try {
    await assertRequestGivesUp(store, proxy);
  } finally {
    await store.close();
    await proxy.close();
    await discard();
  }
});

testWithRedis("time limits: a late answer of Redis leaves a request the rest of its time", async () => {
  const { url, discard } = await openRedis();
  const proxy = await startTcpProxy(Number(new URL(url).port || 6379));
  const through = Object.assign(new URL(url), { hostname: "127.0.0.1", port: `${proxy.port}` }).href;
  const store = await redisStore(through, { timeout });
  try {
    await assertRequestGivesUp(store, proxy);
  } finally {
    await store.close();
    await proxy.close();
    await discard();
  }
});

interface Turned {
  readonly limits: TimeLimits;
  /** Makes a call that takes this many seconds. Resolves to the seconds that it might have taken. */
  call(seconds: number): Promise<number>;
}

/** A test of limits of five seconds, with a clock that only the calls turn. */
function limitTest(behaviour: string, body: (turned: Turned) => Promise<void>): void {
  test(`time limits: ${behaviour}`, async () => {
    const { now } = performance;
    let time = 0;
    performance.now = () => time;
    const limits = createTimeLimits(5);
    try {
      await body({
        limits,
        call: (seconds) =>
          limits.forCall((deadline) => {
            const left = deadline - deadlineIn(0);
            time += seconds * 1000;
            return Promise.resolve(left / 1000);
          }),
      });
    } finally {
      performance.now = now;
    }
  });
}

limitTest("the slow calls of a request end together", async ({ limits, call }) => {
  await limits.forRequest(async () => {
    assertEquals([await call(0.1), await call(3), await call(0.4), await call(1)], [5, 5, 2, 1.6]);
  });
});

limitTest("quick answers use up no time of a request", async ({ limits, call }) => {
  await limits.forRequest(async () => {
    for (let count = 0; count < 100; count++) assertEquals(await call(0.4), 5);
  });
});

limitTest("a request whose time is over still gets quick answers", async ({ limits, call }) => {
  await limits.forRequest(async () => {
    await call(5);
    for (let count = 0; count < 100; count++) assertEquals(await call(0.4), 0.5);
  });
});

limitTest("a request limits no other request, and no call outside of it", async ({ limits, call }) => {
  let afterwards = () => {};
  const answered = new Promise<void>((resolve) => afterwards = resolve);
  const { background } = await limits.forRequest(async () => {
    await call(4);
    // An object, because the answer does not wait for this.
    return { background: answered.then(async () => [await call(4), await call(4)]) };
  });
  afterwards();
  assertEquals([await background, await call(4), await limits.forRequest(() => call(4))], [[5, 5], 5, 5]);
});

limitTest("a request inside of a request has no time of its own", async ({ limits, call }) => {
  await limits.forRequest(async () => {
    await call(4);
    assertEquals(await limits.forRequest(() => call(0)), 1);
  });
});
