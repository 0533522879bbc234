/** The store in IndexedDB: the contract with a database that a library keeps in memory, and what a browser can refuse. */
import { assertEquals, assertRejects } from "@std/assert";
import { IDBFactory, IDBKeyRange } from "fake-indexeddb";
import { storeContract } from "../../../src/server/store/contract.ts";
import { indexedDbStore } from "../../../src/server/store/indexed_db.ts";
import { type Kind, StoreUnavailable } from "../../../src/server/store/store.ts";
import { replaceGlobals } from "../../replace_globals.ts";
import { test } from "../../runner.ts";

storeContract("IndexedDB store", async () => {
  const browser = replaceGlobals({ indexedDB: new IDBFactory(), IDBKeyRange });
  return {
    store: await indexedDbStore("contract"),
    openAgain: () => indexedDbStore("contract"),
    discard: () => Promise.resolve(browser[Symbol.dispose]()),
  };
}, { test });

const note: Kind<string> = { name: "note" };
const soon = { now: 1, expiresAt: 9 };

/** A database whose opening fails, as a browser says it: at once or later. */
function refusing(error: Error | null, isAtOnce = false): { open: () => object } {
  return {
    open() {
      if (isAtOnce) throw error;
      const opening = { error, onerror() {} };
      queueMicrotask(() => opening.onerror());
      return opening;
    },
  };
}

test("IndexedDB store: what the browser refuses is said with what a person can do", async () => {
  const security = new DOMException("Denied", "SecurityError");
  const refusals: readonly (readonly [indexedDB: object | undefined, reason: string])[] = [
    [undefined, "there is no IndexedDB here"],
    [refusing(security, true), "the browser refuses storage to this site. Allow it to keep data"],
    [refusing(security), "the browser refuses storage to this site. Allow it to keep data"],
    [
      refusing(new DOMException("Old", "VersionError")),
      "a later release wrote it. Use that release, or a later one",
    ],
    [
      refusing(new DOMException("Full", "QuotaExceededError")),
      "the storage of this site is full. Delete data of the site, or free space on the disk",
    ],
    [refusing(new DOMException("The disk is broken", "UnknownError")), "The disk is broken"],
    [refusing(null), "the browser does not say why"],
  ];
  for (const [indexedDB, reason] of refusals) {
    using _browser = replaceGlobals({ indexedDB });
    await assertRejects(
      () => indexedDbStore("kept"),
      StoreUnavailable,
      `Cannot open the store "kept": ${reason}`,
    );
  }
});

test("IndexedDB store: it lets go of a database that is deleted, and the next call creates it again", async () => {
  const indexedDB = new IDBFactory();
  using _browser = replaceGlobals({ indexedDB, IDBKeyRange });
  const store = await indexedDbStore("kept");
  await store.put(note, "a", "first", soon);
  await new Promise((resolve) => indexedDB.deleteDatabase("kept").onsuccess = resolve);
  assertEquals(await store.get(note, "a", 1), undefined);
  await store.put(note, "a", "second", soon);
  assertEquals((await store.get(note, "a", 1))?.value, "second");
  await store.close();
});
