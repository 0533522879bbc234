/** bun test: waiting for a request takes real time, even with fake timers. */

import { afterEach, beforeEach, expect, jest, test } from "bun:test";
import { createMock } from "postern/mock";

beforeEach(() => void jest.useFakeTimers());
afterEach(() => void jest.useRealTimers());

test("fake timers expire the token, but not the test that waits for a request", async () => {
  await using as = await createMock();
  const { access_token: token } = await as.login("alice");
  const gate = as.hold("userinfo");
  const [refused, arrived] = [as.requests.next("userinfo"), gate.arrived()];
  jest.advanceTimersByTime(2 * 60 * 60 * 1000);
  const asked = as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  await arrived;
  gate.release();
  expect((await asked).status).toBe(401);
  expect((await refused).refusal?.reason).toBe("token_expired");
});

test("waiting for a request that never comes still times out", async () => {
  await using as = await createMock();
  await expect(as.requests.next("token", { timeout: "50ms" })).rejects.toThrow("0.05 seconds are over");
  using gate = as.hold("token");
  await expect(gate.arrived(1, "50ms")).rejects.toThrow("0.05 seconds are over");
});

test("a mock can be closed although a hook never returns", async () => {
  const as = await createMock();
  as.on("jwks", () => new Promise(() => {}));
  as.fetch(`${as.issuer}/oauth2/jwks`).catch(() => {});
  await expect(as.close()).rejects.toThrow("still running");
});
