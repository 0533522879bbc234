/** The store in IndexedDB: the contract of stores in a page, and a browser that refuses storage or has none left. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import type { Page } from "playwright-core";
import { serveSite } from "./site.ts";
import { browserTest } from "./visit.ts";
import { withContext } from "./watched_context.ts";

let making: Promise<string> | undefined;

/** Bundles the store, the contract, and the assertions of a page. In a process of its own, because esbuild would leave one. */
function makeModule(): Promise<string> {
  return making ??= (async () => {
    const child = new Deno.Command("node_modules/.bin/esbuild", {
      args: ["--bundle", "--format=esm", "--alias:node:assert/strict=./tests/std_assert/page_assertions.ts"],
      stdin: "piped",
      stdout: "piped",
    }).spawn();
    const output = child.output();
    const program = `
      export { indexedDbStore } from "./src/server/store/indexed_db.ts";
      export { storeContract } from "./src/server/store/contract.ts";
    `;
    await new Response(program).body!.pipeTo(child.stdin);
    const { code, stdout } = await output;
    assertEquals(code, 0);
    return new TextDecoder().decode(stdout);
  })();
}

/** A test in a page that has the module as `/store.js`. */
function it(name: string, work: (page: Page, origin: string) => Promise<void>): void {
  browserTest(name, async (browser) => {
    const module = await makeModule();
    await using site = serveSite((_request, path) =>
      path === "/store.js"
        ? new Response(module, { headers: { "content-type": "text/javascript" } })
        : "<!doctype html><title>A page</title>"
    );
    await withContext(browser, { origins: [site.sameSite] }, async (context) => {
      const page = await context.newPage();
      await page.goto(site.sameSite);
      await work(page, site.sameSite);
    });
  });
}

it("IndexedDB store: it passes the contract of stores", async (page) => {
  const results: readonly string[] = await page.evaluate(`(async () => {
    const { indexedDbStore, storeContract } = await import("/store.js");
    const tests = [];
    let count = 0;
    storeContract("IndexedDB", async () => {
      const name = "store " + ++count;
      const discard = () => new Promise((resolve) => indexedDB.deleteDatabase(name).onsuccess = resolve);
      return { store: await indexedDbStore(name), openAgain: () => indexedDbStore(name), discard };
    }, { test: (name, run) => tests.push({ name, run }) });
    const results = [];
    for (const { name, run } of tests) {
      results.push(await run().then(() => "passed", (error) => name + ": " + error));
    }
    return results;
  })()`);
  assertEquals(results.filter((each) => each !== "passed"), []);
  assert(results.length > 25, `${results.length} tests`);
});

it(
  "IndexedDB store: calls end when the data of the site is deleted, and it opens again",
  async (page, origin) => {
    await page.evaluate(`(async () => {
    const { indexedDbStore } = await import("/store.js");
    globalThis.store = await indexedDbStore("kept");
    globalThis.put = (id) => store.put({ name: "note" }, id, 2, { now: 1, expiresAt: 9 }).then(() => true, () => false);
    globalThis.pause = () => new Promise((resolve) => setTimeout(resolve));
    globalThis.isDeleted = false;
    globalThis.running = Promise.all(Array.from({ length: 200 }, async (_, id) => {
      for (; !isDeleted; await pause()) await put("" + id);
    }));
  })()`);
    const session = await page.context().newCDPSession(page);
    await session.send("Storage.clearDataForOrigin", { origin, storageTypes: "indexeddb" });
    const read = await page.evaluate(`(async () => {
    isDeleted = true;
    await running;
    // The browser may close the database a moment later.
    while (!await put("a")) await pause();
    return (await store.get({ name: "note" }, "a", 1)).value;
  })()`);
    assertEquals(read, 2);
  },
);

it("IndexedDB store: it opens again after a page has deleted the database", async (page) => {
  const read = await page.evaluate(`(async () => {
    const { indexedDbStore } = await import("/store.js");
    const store = await indexedDbStore("deleted");
    const put = () => store.put({ name: "note" }, "a", 2, { now: 1, expiresAt: 9 }).then(() => "written", String);
    const before = await put();
    await new Promise((resolve, reject) => {
      const deletion = indexedDB.deleteDatabase("deleted");
      deletion.onsuccess = resolve;
      deletion.onerror = reject;
    });
    return [before, await put()];
  })()`);
  assertEquals(read, ["written", "written"]);
});

it("IndexedDB store: a full storage is said, and nothing is half-written", async (page, origin) => {
  const session = await page.context().newCDPSession(page);
  await session.send("Storage.overrideQuotaForOrigin", { origin, quotaSize: 20_000_000 });
  await page.evaluate(`(async () => {
    const { indexedDbStore } = await import("/store.js");
    globalThis.store = await indexedDbStore("full");
    await store.put({ name: "note" }, "a", "before", { now: 1, expiresAt: 9 });
  })()`);
  const [name, message, isWhole] = await page.evaluate(`(async () => {
    for (let count = 0; count < 20; count++) {
      // Chromium compresses a text that repeats itself.
      const text = Array.from({ length: 250_000 }, () => Math.random()).join();
      const error = await store.put({ name: "note" }, "" + count, text, { now: 1, expiresAt: 9 }).then(() => undefined, (error) => error);
      if (error === undefined) continue;
      const half = await store.get({ name: "note" }, "" + count, 1);
      return [error.name, error.message, half === undefined && (await store.get({ name: "note" }, "a", 1)).value === "before"];
    }
    return ["nothing", "", false];
  })()`) as readonly [string, string, boolean];
  assertEquals([name, isWhole], ["StoreUnavailable", true]);
  assertMatch(
    message,
    /^The store cannot be used: the storage of this site is full\. Delete data of the site/,
  );
});

it("IndexedDB store: a browser that refuses storage is said", async (page) => {
  const messages = await page.evaluate(`(async () => {
    const { indexedDbStore } = await import("/store.js");
    const messageOf = () => indexedDbStore("refused").catch(({ name, message }) => name + ": " + message);
    IDBFactory.prototype.open = () => { throw new DOMException("no", "SecurityError"); };
    const refused = await messageOf();
    Object.defineProperty(globalThis, "indexedDB", { value: undefined });
    return [refused, await messageOf()];
  })()`);
  assertEquals(messages, [
    'StoreUnavailable: Cannot open the store "refused": the browser refuses storage to this site. Allow it to keep data',
    'StoreUnavailable: Cannot open the store "refused": there is no IndexedDB here',
  ]);
});
