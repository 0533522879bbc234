/** What the Redis store makes of the errors of a server, also of old servers, proxies and hosted ones. */
import { assert, assertEquals, assertExists, assertMatch, assertRejects } from "@std/assert";
import { inspect } from "node:util";
import { redisStore } from "../../../src/server/store/redis.ts";
import { type Kind, type Store, StoreUnavailable } from "../../../src/server/store/store.ts";
import { test } from "../../runner.ts";
import { type FakeAnswer, startFakeRedis } from "../../servers/fake_redis.ts";

const note: Kind<unknown> = { name: "note" };
const now = 1_000_000;
const terms = { now, expiresAt: now + 60 };
/** Seconds in which a call gives up. */
const short = 0.3;

const goodInfo = "role:master\r\nloading:0\r\nmaxmemory_policy:noeviction\r\naof_enabled:1\r\n";
const bulk = (text: string) => `$${text.length}\r\n${text}`;

/** Answers as a good server does. Scripts always write. */
const good: FakeAnswer = (command, parameters) => {
  if (command === "INFO") return bulk(goodInfo);
  if (command === "CONFIG") return `*2\r\n${bulk("appendfsync")}\r\n${bulk("always")}`;
  if (command === "EVALSHA") return "-NOSCRIPT No matching script.";
  if (command === "EVAL") return bulk(parameters[7]!);
  if (command === "GET") return "$-1";
  return "+OK";
};

interface FakeServer {
  readonly url: string;
  /** Changes the answers. */
  answer(answer: FakeAnswer): void;
  open(
    timeout?: number,
    url?: string,
  ): Promise<{ readonly store: Store; readonly warnings: readonly string[] }>;
}

function it(behaviour: string, body: (server: FakeServer) => Promise<void>): void {
  test(`redis store: ${behaviour}`, async () => {
    let current = good;
    const server = await startFakeRedis((command, parameters) => current(command, parameters));
    const stores: Store[] = [];
    try {
      await body({
        url: server.url,
        answer: (answer) => void (current = answer),
        async open(timeout = 60, url = server.url) {
          const warnings: string[] = [];
          const store = await redisStore(url, { timeout, warn: (problem) => void warnings.push(problem) });
          stores.push(store);
          return { store, warnings };
        },
      });
    } finally {
      await Promise.all(stores.map((store) => store.close()));
      await server.close();
    }
  });
}

/** Repeats a call that a busy machine may not do in time. */
async function untilInTime<T>(call: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await call();
    } catch (error) {
      if (!(error as Error).message.includes("does not answer")) throw error;
    }
  }
}

/** Answers with the error to each command but those that a connection needs. */
const refuse = (error: string): FakeAnswer => (command, parameters) =>
  ["INFO", "CONFIG"].includes(command) ? good(command, parameters) : `-${error}`;

const errors = [
  "NOPERM this user has no permissions to run the 'time' command",
  "ERR unknown command 'TIME'",
];
for (const error of errors) {
  it(`the time is not known if Redis forbids TIME: ${error.slice(0, 6)}`, async ({ open, answer }) => {
    const { store } = await open();
    answer((command, parameters) => command === "TIME" ? `-${error}` : good(command, parameters));
    assertEquals(await store.clock!(), undefined);
    assertExists(await store.put(note, "a", 1, terms), "the store works");
  });
}

const lasting: readonly (readonly [error: string, words: string])[] = [
  ["OOM command not allowed when used memory > 'maxmemory'.", "Redis has no memory left"],
  [
    "ERR Error running script (call to f_6b1): @user_script:12: -OOM command not allowed when used memory > 'maxmemory'. ",
    "Redis has no memory left",
  ],
  ["MISCONF Redis is configured to save RDB snapshots, but it's currently unable to", "cannot save its data"],
  ["NOREPLICAS Not enough good replicas to write.", "too few replicas"],
  ["NOAUTH Authentication required.", "Redis requires a password"],
  ["NOPERM this user has no permissions to run the 'evalsha' command", "does not permit its user a command"],
  ["MOVED 3999 127.0.0.1:6381", "add ?cluster=true to the URL"],
  ["ERR unknown command 'EVALSHA', with args beginning with: 'canary' ", "Redis has refused a command (ERR)"],
  ["UPSTREAM failure", "Redis has refused a command (UPSTREAM)"],
];

for (const [error, words] of lasting) {
  it(`a call that Redis refuses rejects immediately: ${error.slice(0, 40)}`, async ({ open, answer }) => {
    const { store } = await open();
    answer(refuse(error));
    for (const call of [() => store.put(note, "a", "canary", terms), () => store.get(note, "a", now)]) {
      const thrown = await assertRejects(call, StoreUnavailable, words);
      assert(!inspect(thrown, { depth: 10, showHidden: true }).includes("canary"));
    }
    answer(good);
    assertExists(await store.put(note, "a", 1, terms));
  });
}

const temporary: readonly (readonly [error: string, words: string])[] = [
  ["LOADING Redis is loading the dataset in memory", "still loading its data"],
  ["READONLY You can't write against a read only replica.", "read-only replica: name the primary in the URL"],
  [
    "ERR Error running script (call to f_6b1): @user_script:12: -READONLY You can't write against a read only replica. ",
    "read-only replica: name the primary in the URL",
  ],
  ["MASTERDOWN Link with MASTER is down and replica-serve-stale-data is set to 'no'.", "lost its primary"],
  ["CLUSTERDOWN The cluster is down", "cluster of Redis is down"],
  ["TRYAGAIN Multiple keys request during rehashing of slot", "moving the record"],
  ["BUSY Redis is busy running a script. You can only call SCRIPT KILL", "keeps Redis busy"],
];

for (const [error, words] of temporary) {
  it(`a call is repeated until it succeeds, or its time is over: ${error.slice(0, 40)}`, async (server) => {
    const { store: patient } = await server.open();
    const { store: hasty } = await untilInTime(() => server.open(short));
    let refused = 0;
    server.answer((command, parameters) => {
      if (command === "EVALSHA" && ++refused > 2) server.answer(good);
      return refuse(error)(command, parameters);
    });
    assertExists(await patient.put(note, "a", 1, terms));
    assert(refused > 2);
    server.answer(refuse(error));
    const call = () => untilInTime(() => hasty.put(note, "a", 1, terms));
    await assertRejects(call, StoreUnavailable, `${words} (waited `);
  });
}

it("a call whose last attempts have no answer names the answer before them", async (server) => {
  const { store } = await untilInTime(() => server.open(short));
  let attempts = 0;
  const loading = refuse("LOADING Redis is loading the dataset in memory");
  server.answer((command, parameters) =>
    command === "EVALSHA" && ++attempts > 1 ? undefined : loading(command, parameters)
  );
  const call = () => {
    attempts = 0;
    return store.put(note, "a", 1, terms);
  };
  await assertRejects(() => untilInTime(call), StoreUnavailable, "still loading its data (waited ");
  assert(attempts > 1);
});

it("opening waits until Redis has loaded its data", async ({ open, answer }) => {
  let refused = 0;
  answer((command, parameters) => {
    if (command === "EVALSHA" && ++refused > 2) answer(good);
    return refuse("LOADING Redis is loading the dataset in memory")(command, parameters);
  });
  await open();
  answer(refuse("LOADING Redis is loading the dataset in memory"));
  await assertRejects(() => untilInTime(() => open(short)), StoreUnavailable, "still loading its data");
});

it("what a server does not show is said", async ({ open, answer, url }) => {
  answer((command, parameters) => command === "INFO" ? bulk("role:master\r\n") : good(command, parameters));
  const { warnings } = await open();
  assertEquals(warnings, [
    `The store "${url}": could not check appendonly, because INFO does not show it`,
    `The store "${url}": could not check maxmemory-policy, because INFO does not show it: it must be noeviction`,
  ]);
});

it("the login of Redis 5 is refused in the same words", async ({ open, answer, url }) => {
  answer((command, parameters) => command === "AUTH" ? "-ERR invalid password" : good(command, parameters));
  const error = await assertRejects(() => open(60, url.replace("//", "//:canary@")), TypeError);
  assertMatch(
    error.message,
    /Redis refuses the user or the password: correct them, and encode their special characters$/,
  );
});

it("a connection that loses its database is not used", async (server) => {
  const { store } = await untilInTime(() => server.open(short, `${server.url}/3`));
  let isConnected = true;
  server.answer((command, parameters) => {
    if (command === "GET") isConnected = false;
    if (command === "GET") return "-READONLY You can't write against a read only replica.";
    if (command === "SELECT") return "-ERR DB index is out of range";
    assert(isConnected || command === "INFO", `${command} is sent to another database`);
    return good(command, parameters);
  });
  await assertRejects(() => store.get(note, "a", now), StoreUnavailable, "does not have the database");
  await assertRejects(() => store.put(note, "a", 1, terms), StoreUnavailable, "does not have the database");
});

const replies = [
  "ERR AUTH <password> called without any password configured for the default user. Are you sure your " +
  "configuration is correct?",
  "ERR Client sent AUTH, but no password is set",
  "ERR wrong number of arguments for 'auth' command",
];
for (const reply of replies) {
  it(`a password that Redis does not need is a warning, and not a line on the console (${reply})`, async (server) => {
    server.answer((command, parameters) => command === "AUTH" ? `-${reply}` : good(command, parameters));
    const url = server.url.replace("redis://", "redis://:s3cret-CANARY@");
    const printed: unknown[] = [];
    const { warn } = console;
    console.warn = (...words) => void printed.push(words);
    try {
      const { store, warnings } = await server.open(60, url);
      assertEquals(warnings, [
        `The store "${server.url}": Redis got a password but needs none, so any program that reaches Redis can change ` +
        "the records. Set requirepass, or remove the password",
      ]);
      assertExists(await store.put(note, "id", "value", terms));
    } finally {
      console.warn = warn;
    }
    assertEquals(printed, []);
  });
}
