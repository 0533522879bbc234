/** The schedule explorer itself: it plays every order and finds broken stores. */
import { assert, assertEquals, AssertionError, assertRejects, assertStringIncludes } from "@std/assert";
import type { Kind, Store } from "../../src/mod.ts";
import { test } from "../runner.ts";

import { type Contestant, explore, type Race } from "./explorer.ts";

const counters: Kind<number> = { name: "counter" };

/** A race of functions that only use the store. */
function toyRace(...contestants: readonly ((store: Store, now: number) => Promise<unknown>)[]): Race {
  const named = contestants.map((work, index): [string, Contestant] => [
    "ABC"[index]!,
    async ({ store, world }) => void await work(store, world.clock.now),
  ]);
  return { start: () => Promise.resolve(Object.fromEntries(named)) };
}

function putsTo(id: string, times: number): (store: Store, now: number) => Promise<void> {
  return async (store, now) => {
    for (let count = 1; count <= times; count++) {
      await store.put(counters, id, count, { now, expiresAt: now + 60 });
    }
  };
}

test("explorer: plays every order of the calls once", async () => {
  const apart = toyRace(putsTo("one", 3), putsTo("other", 3));
  const every = { reduce: false };
  assertEquals((await explore(apart, every)).schedules, 20, "6 calls, 3 of them the first one's");
  const three = toyRace(putsTo("one", 2), putsTo("other", 1), putsTo("third", 1));
  assertEquals((await explore(three, every)).schedules, 12, "4! / 2!");
  const { schedules, skipped } = await explore(three);
  assertEquals([schedules, skipped], [1, 0], "no call affects another");
});

async function add(store: Store, now: number): Promise<void> {
  const entry = await store.get(counters, "sum", now);
  await store.put(counters, "sum", (entry?.value ?? 0) + 1, { now, expiresAt: now + 60 });
}

test("explorer: finds a lost update and lists its steps", async () => {
  const error = await assertRejects(() => explore(toyRace(add, add)), AssertionError);
  const lines = [
    "1. A: get counter sum → none",
    "2. B: get counter sum → none",
    "3. A: put counter sum → written",
    "5. B: put counter sum → written",
    'left: {"kind":"counter","id":"sum","value":1',
    "A, B, one after another:",
    'left: {"kind":"counter","id":"sum","value":2',
  ];
  for (const line of lines) assertStringIncludes(error.message, line);
});

test("explorer: plays as many orders as it is told to, and interleaves the calls from the first one on", async () => {
  const apart = toyRace(putsTo("one", 3), putsTo("other", 3));
  for (const [most, schedules] of [[1, 1], [2, 2], [4, 4], [64, 20]] as const) {
    assertEquals((await explore(apart, { most, reduce: false })).schedules, schedules, `${most}`);
  }
  await assertRejects(() => explore(toyRace(add, add), { most: 2 }), AssertionError, "no sequential order");
});

function redeemTwice(breakStore: (store: Store) => Store): Race {
  return {
    breakStore,
    async start(world) {
      const code = await world.code();
      return { A: ({ world }) => world.redeem(code), B: ({ world }) => world.redeem(code) };
    },
  };
}

/** A store that ignores the condition of a put. */
function ignoringConditions(store: Store): Store {
  return {
    ...store,
    put: (kind, id, value, { expiresAt, now }) => store.put(kind, id, value, { expiresAt, now }),
  };
}

test("explorer: redeem ∥ redeem finds a store that ignores conditions", async () => {
  const error = await assertRejects(() => explore(redeemTwice(ignoringConditions)), AssertionError);
  assertStringIncludes(error.message, "ends as no sequential order does");
  assertStringIncludes(error.message, "as active if unchanged → written");
  assertEquals(error.message.match(/^ {2}\d+\. [AB]: ends: 200$/gm)?.length, 2);
});

/** Copies a counter to another one. */
function copies(from: string, to: string): (store: Store, now: number) => Promise<void> {
  return async (store, now) => {
    const entry = await store.get(counters, from, now);
    await store.put(counters, to, entry?.value ?? 0, { now, expiresAt: now + 60 });
  };
}

test("explorer: skipping equivalent schedules skips no outcome of three toys", async () => {
  const toy = toyRace(copies("one", "other"), copies("other", "one"), putsTo("one", 2));
  // Copies have outcomes that no sequential order has.
  const race: Race = { ...toy, anyOutcome: true };
  const [every, reduced] = [await explore(race, { reduce: false }), await explore(race)];
  assertEquals(reduced.outcomes, every.outcomes);
  assert(reduced.schedules < every.schedules, `${reduced.schedules} of ${every.schedules}`);
});
