/** The measured store: it behaves like the store, and each call is counted with its outcome. */

import { assertEquals, assertRejects } from "@std/assert";
import { measureStore } from "../../../../src/tools/cli/metrics/server_metrics.ts";
import { storeContract } from "../../../../src/server/store/contract.ts";
import { memoryStore } from "../../../../src/server/store/memory.ts";
import { never, type Store, StoreUnavailable } from "../../../../src/server/store/store.ts";
import { test } from "../../../runner.ts";

storeContract("measured store", () => Promise.resolve({ store: measureStore(memoryStore(), () => {}) }), {
  test,
});

test("measured store: each call is counted with its outcome and its time", async () => {
  const seen: string[] = [];
  const { now } = performance;
  let time = 0;
  performance.now = () => time += 250;
  const note = (operation: string, outcome: string, seconds: number) => {
    assertEquals(seconds, 0.25);
    seen.push(`${operation} ${outcome}`);
  };
  const store = measureStore(memoryStore(), note);
  const kind = { name: "note" };
  const terms = { expiresAt: never, now: 0 };
  await store.get(kind, "a", 0);
  await store.put(kind, "a", 1, { ...terms, if: null });
  await store.put(kind, "a", 2, { ...terms, if: null });
  await store.get(kind, "a", 0);
  await store.delete(kind, "a");
  await store.sweep?.(1, 0);
  await store.close();
  await assertRejects(() => store.get(kind, "a", 0), StoreUnavailable);
  const failing: Store = { ...memoryStore(), get: () => Promise.reject(new Error("disk")) };
  await assertRejects(() => measureStore(failing, note).get(kind, "a", 0), Error, "disk");
  performance.now = now;
  assertEquals(seen, [
    ...["get absent", "put ok", "put failed_condition", "get ok", "delete ok", "sweep ok"],
    ...["get unavailable", "get error"],
  ]);
});
