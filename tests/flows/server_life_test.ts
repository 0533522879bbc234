/** The life of a server: it shares nothing with another one, and on close it finishes running requests only. */

import { assertEquals, assertNotEquals } from "@std/assert";
import { createServer, memoryStore, type ServerOptions, type Store } from "../../src/mod.ts";
import { assertTokens } from "../server/oauth/refusals.ts";
import { test } from "../runner.ts";
import { createKeySource } from "../server/tokens/key_world.ts";
import { basic, createWorld, inWorld, type World } from "../world.ts";

/** A server that makes its keys. */
const createKeyless = (options: ServerOptions = {}) =>
  createWorld({ alg: "ES256", keySource: createKeySource(), ...options }, {});

/** Two identical servers: same issuer, same key, same clients. */
async function withTwo(
  options: Parameters<typeof createWorld>[0],
  work: (one: World, other: World) => Promise<void>,
) {
  await inWorld(options ?? {}, (one) => inWorld(options ?? {}, (other) => work(one, other)));
}

test("two servers: a code of one is unknown to the other", () =>
  withTwo({}, async (one, other) => {
    const code = await one.code();
    const refused = await other.redeem(code);
    assertEquals((await refused.json()).error, "invalid_grant");
    assertEquals(other.lastRefusal()?.reason, "code_unknown");
    await assertTokens(await one.redeem(code));
    assertEquals([one.journal.length, other.journal.length], [2, 1]);
  }));

test("two servers: wrong secrets at one do not count at the other", () =>
  withTwo({}, async (one, other) => {
    const guess = (world: World) => world.redeem("x", { client_id: undefined }, basic("basic", "wrong"));
    for (let attempt = 0; attempt < 21; attempt++) await (await guess(one)).body?.cancel();
    assertEquals([(await guess(one)).status, (await guess(other)).status], [429, 401]);
  }));

test("two servers: each makes a key of its own", async () => {
  const keyOf = async () => {
    const world = createKeyless();
    const response = await world.get("/oauth2/jwks");
    await world.close();
    return (await response.json()).keys[0].kid;
  };
  assertNotEquals(await keyOf(), await keyOf());
});

test("close: running requests finish, later ones are refused, and then close() resolves", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  const events: string[] = [];
  const store = memoryStore();
  await using world = createWorld({
    store,
    seams: {
      async token_response(value) {
        await held;
        return value;
      },
    },
  });
  const code = await world.code();
  const running = world.redeem(code).then((response) => {
    events.push(`running ${response.status}`);
    return response;
  });
  const closing = world.close().then(() => events.push("closed"));
  const late = await world.get("/oauth2/jwks");
  const { error } = await late.json();
  events.push(`late ${late.status} ${error}`);
  assertEquals(world.lastRefusal()?.reason, "server_closed");
  release();
  await assertTokens(await running);
  await closing;
  assertEquals(events, ["late 503 temporarily_unavailable", "running 200", "closed"]);
  assertEquals((await world.get("/")).status, 503);
});

test("close: a failing request does not stop the server from closing", async () => {
  const store: Store = { ...memoryStore(), put: () => Promise.reject(new Error("full")) };
  const world = createWorld({ store });
  const response = world.authorize();
  await world.close();
  assertEquals(new URL((await response).headers.get("location")!).searchParams.get("error"), "server_error");
});

test("close: an unused server closes immediately, while its key is still being made", async () => {
  await createServer({ alg: "ES256" }).close();
});

test("server: a slow key delays only requests that need it", async () => {
  let release = () => {};
  const held = new Promise<void>((resolve) => release = resolve);
  const memory = memoryStore();
  const store: Store = {
    ...memory,
    async get(kind, ...rest) {
      if (kind.name === "key_set") await held;
      return await memory.get(kind, ...rest);
    },
  };
  const world = createKeyless({ store });
  const get = async (path: string) => (await world.get(path)).status;
  const keys = get("/oauth2/jwks");
  assertEquals(await get("/"), 200);
  assertEquals(await get("/.well-known/oauth-authorization-server"), 200);
  release();
  assertEquals(await keys, 200);
  await world.close();
  await memory.close();
});

test("server: a key that could not be stored is made again for the next request", async () => {
  let fails = true;
  const memory = memoryStore();
  const store: Store = {
    ...memory,
    put: (kind, ...rest) =>
      fails && kind.name === "key_set" ? Promise.reject(new Error("full")) : memory.put(kind, ...rest),
  };
  const world = createKeyless({ store });
  const status = async () => (await world.get("/oauth2/jwks")).status;
  assertEquals(await status(), 500);
  fails = false;
  assertEquals(await status(), 200);
  await world.close();
  await memory.close();
});
