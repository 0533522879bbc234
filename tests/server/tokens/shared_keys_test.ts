/** Servers that share signing keys in one store: each follows rotations, and accepts tokens of the others. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { watchStore } from "../../races/watched_store.ts";
import { testIn } from "../../test_in.ts";
import { createSignal } from "../../signal.ts";
import { kidOf, withKeys } from "./key_world.ts";

const it = testIn(withKeys);

it("keys: a second server on the store follows within 10 seconds, and accepts tokens of the first (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const [one, other] = [open(), open()];
  const old = kidOf((await one.tokens()).access_token);
  assertEquals(kidOf((await other.tokens()).access_token), old);
  await one.rotateKeys({ atOnce: true });
  const fresh = await one.tokens();
  assertNotEquals(kidOf(fresh.access_token), old);
  clock.now += 10;
  assertEquals(await other.kids(), await one.kids());
  assert(await other.opens(fresh.access_token));
  assertEquals(kidOf((await other.tokens()).access_token), kidOf(fresh.access_token));
});

it("keys: a token that the second server signs with the old key is valid until it expires (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const lifetimes = { accessToken: 600, idToken: 600 };
  const [one, other] = [open({ lifetimes }), open({ lifetimes })];
  await Promise.all([one.tokens(), other.tokens()]);
  await one.rotateKeys({ atOnce: true });
  clock.now += 9;
  const late = await other.tokens();
  clock.now += 599;
  for (const world of [one, other]) assert(await world.opens(late.access_token));
});

it("keys: rotating leaves the keys of another server's algorithm in use (OpenID Connect Core §10.1.1)", async ({ clock, open }) => {
  const lifetimes = { accessToken: 60, idToken: 60 };
  const [one, other] = [open({ alg: "ES256", lifetimes }), open({ alg: "EdDSA", lifetimes })];
  await one.tokens();
  await other.tokens();
  await one.rotateKeys({ atOnce: true });
  clock.now += 1000;
  const { access_token } = await other.tokens();
  assert((await other.kids()).includes(kidOf(access_token)), "the signing key is not published");
  assert(await other.opens(access_token));
});

it("keys: if another server rotates while this one starts, there is a key that signs immediately (OpenID Connect Core §10.1.1)", async ({ store, open }) => {
  const rotated = createSignal();
  /** The first write of each server waits for the write of the rotation. */
  const openSlowly = () => {
    let puts = 0;
    return open({
      store: watchStore(store, async ({ verb }, perform) => {
        if (verb !== "put") return await perform();
        const isFirst = puts++ === 0;
        if (isFirst) await rotated.given;
        const result = await perform();
        if (!isFirst) rotated.give();
        return result;
      }),
    });
  };
  const [world, other] = [openSlowly(), openSlowly()];
  await other.rotateKeys();
  assert(await world.opens((await world.tokens()).access_token));
});
