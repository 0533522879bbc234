/** node:test: a client's timeout works as on a network, while the mock does not answer. */

import assert from "node:assert/strict";
import process from "node:process";
import { test } from "node:test";
import { createMock } from "postern/mock";

const keys = "https://as.test/oauth2/jwks";
const giveUp = () => ({ signal: AbortSignal.timeout(50) });

test("our client gives up while a gate holds the request", async () => {
  const as = await createMock();
  as.intercept();
  const gate = as.hold("jwks");
  await assert.rejects(() => fetch(keys, giveUp()), { name: "TimeoutError" });
  assert.equal(gate.waiting, 1);
  await as.close();
});

test("our client gives up while a hook does not return", async () => {
  const as = await createMock();
  as.on("jwks", () => new Promise(() => {}));
  await assert.rejects(() => as.fetch(keys, giveUp()), { name: "TimeoutError" });
});

test("a closed mock leaves nothing running, although a hook never returns", async () => {
  const as = await createMock();
  as.on("jwks", () => new Promise(() => {}));
  const before = process.getActiveResourcesInfo().sort();
  as.fetch(keys).catch(() => {});
  await assert.rejects(() => as.close(), /still running/);
  assert.deepEqual(process.getActiveResourcesInfo().sort(), before);
});

test("an answered request leaves nothing that keeps the process alive", async (t) => {
  const as = await createMock();
  t.after(() => as.close());
  const before = process.getActiveResourcesInfo().sort();
  await as.fetch(keys);
  assert.deepEqual(process.getActiveResourcesInfo().sort(), before);
});
