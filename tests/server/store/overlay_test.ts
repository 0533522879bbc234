/** The overlay store: the contract, and the store below, which never changes. */
import { assertEquals } from "@std/assert";
import { storeContract } from "../../../src/server/store/contract.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { overlayStore } from "../../../src/server/store/overlay.ts";
import type { Kind, Store } from "../../../src/server/store/store.ts";
import { test } from "../../runner.ts";

storeContract("overlay store", () => Promise.resolve({ store: overlayStore(memoryStore()) }), {
  test,
  without: ["sweep", "kinds"],
});

const note: Kind<string> = { name: "note" };
const now = 1_000_000;
const soon = { now, expiresAt: now + 60 };

async function idsOf(store: Store): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const { id, value } of store.list!(note)) found.push(`${id}=${value}`);
  return found.sort();
}

test("overlay store: reads the records of the store below, and never changes them", async () => {
  const below = memoryStore();
  const version = await below.put(note, "kept", "a", soon);
  await below.put(note, "deleted", "b", soon);
  const store = overlayStore(below);
  assertEquals((await store.get(note, "kept", now))?.version, version);

  assertEquals(await store.put(note, "kept", "c", { ...soon, if: null }), undefined);
  const newer = await store.put(note, "kept", "c", { ...soon, if: version! });
  assertEquals(await store.put(note, "kept", "d", { ...soon, if: version! }), undefined);
  assertEquals(typeof await store.put(note, "kept", "d", { ...soon, if: newer! }), "string");
  await store.delete(note, "deleted");
  assertEquals(await store.get(note, "deleted", now), undefined);
  assertEquals(typeof await store.put(note, "new", "e", { ...soon, if: null }), "string");

  assertEquals(await idsOf(store), ["kept=d", "new=e"]);
  assertEquals(await idsOf(below), ["deleted=b", "kept=a"]);
  assertEquals((await below.get(note, "kept", now))?.version, version);
});

test("overlay store: a version of the store below is never one of its own, whatever its end", async () => {
  const below = memoryStore();
  // Of this many characters, the overlay takes the mark from its own versions.
  const version = "12345678" + 1;
  const found = { value: "a", version, expiresAt: soon.expiresAt };
  const store = overlayStore({ ...below, get: <T>() => Promise.resolve({ ...found, value: "a" as T }) });
  assertEquals(typeof await store.put(note, "kept", "b", { ...soon, if: version }), "string");
  assertEquals(await store.put(note, "kept", "c", { ...soon, if: version }), undefined);
});

test("overlay store: closing it leaves the store below open", async () => {
  const below = memoryStore();
  await overlayStore(below).close();
  assertEquals(await below.get(note, "a", now), undefined);
});
