/** node:test: waiting for a request takes real time, even if timers are fake before the mock is imported. */

import assert from "node:assert/strict";
import { mock, test } from "node:test";

mock.timers.enable({ apis: ["setTimeout", "setInterval", "Date"], now: Date.now() });
const { createMock } = await import("postern/mock");

test("fake timers expire the token, but not the test that waits for a request", async (t) => {
  const as = await createMock();
  t.after(() => as.close());
  const { access_token: token } = await as.login("alice");
  const gate = as.hold("userinfo");
  const [refused, arrived] = [as.requests.next("userinfo"), gate.arrived()];
  mock.timers.tick(2 * 60 * 60 * 1000);
  const asked = as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  await arrived;
  gate.release();
  assert.equal((await asked).status, 401);
  assert.equal((await refused).refusal.reason, "token_expired");
});

test("waiting for a request that never comes still times out", async (t) => {
  const as = await createMock();
  t.after(() => as.close());
  await assert.rejects(() => as.requests.next("token", { timeout: "50ms" }), /0\.05 seconds are over/);
  const gate = as.hold("token");
  await assert.rejects(() => gate.arrived(1, "50ms"), /0\.05 seconds are over/);
});

test("a mock can be closed although a hook never returns", async () => {
  const as = await createMock();
  as.on("jwks", () => new Promise(() => {}));
  as.fetch(`${as.issuer}/oauth2/jwks`).catch(() => {});
  await assert.rejects(() => as.close(), /still running/);
});
