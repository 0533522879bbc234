/** The memory store: the contract, and the sweeping by puts. */
import { assert, assertEquals, assertExists, assertRejects } from "@std/assert";
import { memoryStore } from "../../../src/server/store/memory.ts";
import type { Kind } from "../../../src/server/store/store.ts";
import { test } from "../../runner.ts";
import { storeContract } from "../../../src/server/store/contract.ts";

storeContract("memory store", () => Promise.resolve({ store: memoryStore() }), { test });

test("contract: a store without an optional function says what to add to `without`", async () => {
  const tests = new Map<string, () => Promise<void>>();
  const open = () => {
    const { sweep: _sweep, list: _list, ...store } = memoryStore();
    return Promise.resolve({ store });
  };
  storeContract("part", open, { test: (name, run) => void tests.set(name, run) });
  for (const name of ["sweep", "list"]) {
    const [, run] = [...tests].find(([title]) => title.startsWith(`part: ${name} `))!;
    await assertRejects(run, Error, `The store has no ${name}: add "${name}" to \`without\``);
  }
});

test("memory store: puts sweep expired records and keep live ones", async () => {
  const store = memoryStore();
  const note: Kind<number> = { name: "note" };
  const lifetime = 90;
  let most = 0;
  for (let now = 0; now < 8000; now++) {
    for (let each = 0; each < 5; each++) {
      await store.put(note, `${now} ${each}`, now, { now, expiresAt: now + lifetime });
    }
    if (now % 400 !== 0) continue;
    let stored = 0;
    let live = 0;
    assertExists(store.list);
    for await (const { expiresAt } of store.list(note)) {
      stored++;
      if (expiresAt > now) live++;
    }
    assertEquals(live, 5 * Math.min(now + 1, lifetime));
    most = Math.max(most, stored);
  }
  // Expired records stay for an hour, and maybe for a minute and for the 100 puts until the next sweep.
  assert(most <= 5 * (lifetime + 3600 + 60) + 100 + 5, `${most} records stored`);
  await store.close();
});
