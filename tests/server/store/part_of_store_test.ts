/** A part of a store: the contract, and that two parts share no record. */

import { assertEquals } from "@std/assert";
import { storeContract } from "../../../src/server/store/contract.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { type Kind, partOfStore } from "../../../src/server/store/store.ts";
import { test } from "../../runner.ts";

const note: Kind<number> = { name: "note" };
const terms = { now: 1_000_000, expiresAt: 1_000_060 };

storeContract("part of a store", () => {
  const store = memoryStore();
  return Promise.resolve({ store: { ...partOfStore(store, "a"), close: () => store.close() } });
}, { test });

test("part of a store: two parts share no record, and closing one leaves the store open", async () => {
  const store = memoryStore();
  const [left, right] = [partOfStore(store, "a"), partOfStore(store, "b")];
  await left.put(note, "x", 1, terms);
  await right.put(note, "x", 2, terms);
  await left.delete(note, "x");
  await left.close();
  assertEquals((await right.get(note, "x", terms.now))?.value, 2);
  const listed = [];
  for await (const { id, value } of right.list!(note)) listed.push([id, value]);
  assertEquals(listed, [["x", 2]]);
  for await (const { id } of left.list!(note)) listed.push([id]);
  assertEquals(listed.length, 1);
  await store.close();
});

test("part of a store: its kinds are its own, and not those of a part with its name in another", async () => {
  const store = memoryStore();
  await partOfStore(store, "a").put(note, "x", 1, terms);
  await partOfStore(partOfStore(store, "b"), "a").put({ name: "other" }, "x", 1, terms);
  assertEquals(await Array.fromAsync(partOfStore(store, "a").kinds!()), ["note"]);
  assertEquals(await Array.fromAsync(partOfStore(store, "b").kinds!()), ["a/other"]);
  await store.close();
});
