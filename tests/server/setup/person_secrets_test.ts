/** Tests that the secret for pairwise subjects is loaded once, and again after a failed load. */

import { assertEquals, assertRejects } from "@std/assert";
import type { KeyRing } from "../../../src/ground/crypto/key_ring.ts";
import { createPersonSecrets } from "../../../src/server/setup/create_services.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { test } from "../../runner.ts";

test("person secrets: a failed load is repeated, and a loaded secret is kept", async () => {
  let loads = 0;
  const store = memoryStore();
  const failingOnce: typeof store = {
    ...store,
    get: (...terms) => ++loads === 1 ? Promise.reject(new Error("canary")) : store.get(...terms),
  };
  const keys = { encryptionKey: () => Promise.resolve(new Uint8Array(32)) } as Partial<KeyRing> as KeyRing;
  const secrets = createPersonSecrets({ store: failingOnce, keys, now: () => 1 });
  await assertRejects(() => secrets.derive("pairwise subject a.example", "alice"), Error, "canary");
  const subject = await secrets.derive("pairwise subject a.example", "alice");
  assertEquals([await secrets.derive("pairwise subject a.example", "alice"), loads], [subject, 2]);
});
