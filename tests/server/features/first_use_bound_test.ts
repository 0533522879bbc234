/** First use is bounded: 200 clients, of which only those without a live grant make room. */

import { assertEquals } from "@std/assert";
import { memoryStore, type ServerOptions, type Store } from "../../../src/mod.ts";
import { interruptedStore } from "../interrupted_store.ts";
import { assertCode, assertRefusedOnPage, assertTokens } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { countingStore } from "../../security/counting_store.ts";
import { createWorld, inWorld, type Params, sampleKey, type World } from "../../world.ts";
import { refresh } from "../tokens/bearer.ts";
import { storedClients } from "../../../src/server/oauth/clients/records/stored_client.ts";
import { never } from "../../../src/server/store/store.ts";
import { seatsIn, takeSeats } from "./client_seats.ts";

const redirect_uri = "http://127.0.0.1:4000/cb";
const most = 200;
const list = "first_use";
// A code is valid longer for a server whose clock is behind.
const codeLifetime = 300 + 120;
const full = { error: "temporarily_unavailable", reason: "first_use_full", status: 503 };

const bare: ServerOptions = { alg: "ES256", signingKeys: [sampleKey], login: "auto" };
const withoutClients = (options: ServerOptions, work: (world: World) => Promise<void>) =>
  inWorld({ ...bare, ...options }, work, {});

const use = (world: World, client_id: string, changed: Params = {}) =>
  world.authorize({ client_id, redirect_uri, ...changed });

async function redeem(world: World, client_id: string): Promise<Record<string, string>> {
  const code = new URL((await use(world, client_id)).headers.get("location")!).searchParams.get("code")!;
  const response = await world.redeem(code, { client_id, redirect_uri });
  assertEquals(response.status, 200);
  return await response.json();
}

async function keptIds(store: Store, world: World): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id, expiresAt } of store.list!({ name: "client" })) {
    if (expiresAt > world.clock.now) ids.push(id);
  }
  return ids;
}

test("first use: 200 clients are kept, and one without a live grant makes room for the next", async () => {
  const store = memoryStore();
  await withoutClients({ store }, async (world) => {
    for (let at = 0; at < most; at++) assertCode(await use(world, `app-${at}`));
    await assertRefusedOnPage(world, await use(world, "one-more"), full);
    const { clients } = JSON.parse(world.lastRefusal()!.remedy!) as ServerOptions;
    await withoutClients(
      { clients: clients! },
      async (configured) => void assertCode(await use(configured, "one-more")),
    );
    // The kept clients still work.
    assertCode(await use(world, "app-0"));
    assertEquals((await use(world, "one-more")).status, 503);

    world.clock.advance(codeLifetime - 1);
    assertEquals((await use(world, "one-more")).status, 503);
    world.clock.advance(1);
    // A client that is approved again does not make room.
    const again = await use(world, "app-0");
    assertCode(await use(world, "one-more"));
    const kept = await keptIds(store, world);
    assertEquals([kept.length, kept.includes("app-0"), kept.includes("app-1")], [most, true, false]);
    // Another application may take the id now.
    assertCode(await use(world, "app-1", { redirect_uri: "http://localhost:5000/other" }));
    assertEquals((await keptIds(store, world)).length, most);
    const code = new URL(again.headers.get("location")!).searchParams.get("code")!;
    await assertTokens(await world.redeem(code, { client_id: "app-0", redirect_uri }));
  });
});

test("first use: with 200 live clients the next one is refused until the tokens of one have expired", async () => {
  const store = memoryStore();
  await withoutClients({ store, lifetimes: { refreshIdle: 7200, accessToken: 60 } }, async (world) => {
    await redeem(world, "app-0");
    await takeSeats(store, list, most - 1, never);
    world.clock.advance(7199);
    await assertRefusedOnPage(world, await use(world, "one-more"), full);
    world.clock.advance(7201 + 120);
    assertCode(await use(world, "one-more"));
  });
});

test("first use: a client stays while its refresh tokens are used", async () => {
  const store = memoryStore();
  await withoutClients({ store, lifetimes: { refreshIdle: 600, accessToken: 60 } }, async (world) => {
    let { refresh_token } = await redeem(world, "app-0");
    await takeSeats(store, list, most - 1, world.clock.now);
    for (let round = 0; round < 5; round++) {
      world.clock.advance(500);
      assertCode(await use(world, `next-${round}`));
      const refreshed = await refresh(world, refresh_token, { client_id: "app-0" });
      ({ refresh_token } = await assertTokens(refreshed) as Record<string, string>);
    }
  });
});

test("first use: a client that comes again after its end has one seat", async () => {
  const store = memoryStore();
  await withoutClients({ store }, async (world) => {
    assertCode(await use(world, "app-0"));
    world.clock.advance(30 * 86_400);
    assertCode(await use(world, "app-0"));
    assertEquals((await seatsIn(store, list)).map(({ id }) => id), ["app-0"]);
  });
});

test("first use: processes that share a store keep 200 clients together, even with requests at the same time", async () => {
  const store = memoryStore();
  const worlds = [createWorld({ ...bare, store }, {}), createWorld({ ...bare, store }, {})];
  const useAtOnce = async (count: number, name: string) =>
    (await Promise.all(
      worlds.flatMap((world, which) =>
        Array.from({ length: count }, (_, at) => use(world, `${name}-${which}-${at}`))
      ),
    )).map(({ status }) => status);
  await takeSeats(store, list, most - 20, worlds[0]!.clock.now);
  assertEquals(await useAtOnce(10, "app"), Array(20).fill(303));
  assertEquals((await seatsIn(store, list)).length, most);
  assertEquals(await useAtOnce(3, "more"), Array(6).fill(503));
  worlds.forEach(({ clock }) => clock.advance(codeLifetime));
  assertEquals(await useAtOnce(3, "later"), Array(6).fill(303));
  assertEquals((await seatsIn(store, list)).length, most);
  await Promise.all(worlds.map((world) => world.close()));
});

test("first use: a server does not shorten what another one with longer lifetimes recorded", async () => {
  const interrupted = interruptedStore("get", "client");
  const { store } = interrupted;
  const lifetimes = { refreshIdle: 600, accessToken: 60 };
  await withoutClients({ store, lifetimes }, async (world) => {
    const { now } = world.clock;
    const refreshed = async (token: string | undefined) =>
      (await assertTokens(await refresh(world, token, { client_id: "app-0" })))["refresh_token"] as string;
    const first = (await redeem(world, "app-0"))["refresh_token"];
    world.clock.advance(599);
    const second = await refreshed(first);
    world.clock.advance(599);
    const needed = now + 86_400;
    interrupted.meanwhile = async () => {
      const { value, version, expiresAt } = (await store.get(storedClients, "app-0", now))!;
      await store.put(storedClients, "app-0", { ...value, aliveUntil: needed }, {
        expiresAt,
        now,
        if: version,
      });
    };
    await refreshed(second);
    assertEquals((await store.get(storedClients, "app-0", now))?.value.aliveUntil, needed);
  });
});

test("first use: a known client needs no write of its own", async () => {
  const store = countingStore();
  await withoutClients({ store, accessTokens: "opaque" }, async (world) => {
    const kinds = () => store.writes.map((line) => line.split(" ")[1]);
    await use(world, "app-0");
    assertEquals(kinds(), ["client_places", "client", "session", "grant"]);
    store.forget();
    await redeem(world, "app-0");
    assertEquals(kinds(), ["session", "grant", "access_token", "client", "grant"]);
    for (const seconds of [0, 60, 86_400]) {
      world.clock.advance(seconds);
      store.forget();
      await redeem(world, "app-0");
      assertEquals(kinds(), ["session", "grant", "access_token", "grant"]);
    }
  });
});
