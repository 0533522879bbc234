/** Servers that share signing keys in one store: each follows rotations, and accepts tokens of the others. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { memoryStore, type Store } from "../../src/mod.ts";
import { watchStore } from "../races/watched_store.ts";
import { test } from "../runner.ts";
import { createKeyWorld, kidOf, start, withKeys } from "./key_world.ts";

test("keys: a second server on the store follows within 10 seconds, and accepts tokens of the first (OpenID Connect Core §10.1.1)", async () => {
  await withKeys(async ({ clock, open }) => {
    const [one, other] = [open(), open()];
    const old = kidOf((await one.tokens()).access_token);
    assertEquals(kidOf((await other.tokens()).access_token), old);
    await one.rotate({ atOnce: true });
    const fresh = await one.tokens();
    assertNotEquals(kidOf(fresh.access_token), old);
    clock.now += 10;
    assertEquals(await other.kids(), await one.kids());
    assert(await other.opens(fresh.access_token));
    assertEquals(kidOf((await other.tokens()).access_token), kidOf(fresh.access_token));
  });
});

test("keys: with a rotation ahead of time, every server has a key before its first signature (OpenID Connect Core §10.1.1)", async () => {
  await withKeys(async ({ clock, open }) => {
    const [one, other] = [open(), open()];
    await Promise.all([one.tokens(), other.tokens()]);
    await one.rotate();
    for (let seconds = 0; seconds < 100; seconds += 3) {
      const [here, there] = [await one.tokens(), await other.tokens()];
      assert(await other.opens(here.access_token), `after ${seconds} s`);
      assert(await one.opens(there.access_token), `after ${seconds} s`);
      clock.now += 3;
    }
  });
});

test("keys: a token that the second server signs with the old key is valid until it expires (OpenID Connect Core §10.1.1)", async () => {
  await withKeys(async ({ clock, open }) => {
    const lifetimes = { accessToken: 600, idToken: 600 };
    const [one, other] = [open({ lifetimes }), open({ lifetimes })];
    await Promise.all([one.tokens(), other.tokens()]);
    await one.rotate({ atOnce: true });
    clock.now += 9;
    const late = await other.tokens();
    clock.now += 599;
    for (const world of [one, other]) assert(await world.opens(late.access_token));
  });
});

test("keys: if two servers rotate together, both use the stored keys (OpenID Connect Core §10.1.1)", async () => {
  await withKeys(async ({ clock, open }) => {
    const [one, other] = [open(), open()];
    await Promise.all([one.tokens(), other.tokens()]);
    await Promise.all([one.rotate(), other.rotate()]);
    clock.now += 100;
    assertEquals(await one.kids(), await other.kids());
    assert(await other.opens((await one.tokens()).access_token));
  });
});

test("keys: rotating leaves the keys of another server's algorithm in use (OpenID Connect Core §10.1.1)", async () => {
  await withKeys(async ({ clock, open }) => {
    const lifetimes = { accessToken: 60, idToken: 60 };
    const [one, other] = [open({ alg: "ES256", lifetimes }), open({ alg: "EdDSA", lifetimes })];
    await one.tokens();
    await other.tokens();
    await one.rotate({ atOnce: true });
    clock.now += 1000;
    const { access_token } = await other.tokens();
    assert((await other.kids()).includes(kidOf(access_token)), "the signing key is not published");
    assert(await other.opens(access_token));
  });
});

test("keys: if another server rotates while this one starts, there is a key that signs immediately (OpenID Connect Core §10.1.1)", async () => {
  const memory = memoryStore();
  const clock = { now: start };
  const world = createKeyWorld(clock, slowFirstPut(memory));
  const other = createKeyWorld(clock, slowFirstPut(memory));
  await other.rotate();
  assert(await world.opens((await world.tokens()).access_token));
  await Promise.all([world.close(), other.close()]);
  await memory.close();
});

/** Delays the first write, so that another server writes first. */
function slowFirstPut(memory: Store): Store {
  let puts = 0;
  return watchStore(memory, async (call, perform) => {
    if (call.verb === "put" && puts++ === 0) await new Promise((resolve) => setTimeout(resolve, 200));
    return await perform();
  });
}
