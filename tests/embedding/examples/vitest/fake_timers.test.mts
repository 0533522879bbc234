/** Vitest: whoever waits for a request waits in real time, whatever the timers of the test say. */

import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createMock } from "postern/mock";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("an hour that only our timers know of expires the token, and nobody who waits", async () => {
  await using as = await createMock();
  const { access_token: token } = await as.login("alice");
  const gate = as.hold("userinfo");
  const [refused, arrived] = [as.requests.next("userinfo"), gate.arrived()];
  vi.advanceTimersByTime(2 * 60 * 60 * 1000);
  const asked = as.fetch(`${as.issuer}/userinfo`, { headers: { authorization: `Bearer ${token}` } });
  await arrived;
  gate.release();
  expect((await asked).status).toBe(401);
  expect((await refused).refusal?.reason).toBe("token_expired");
});

test("what never comes is told all the same", async () => {
  await using as = await createMock();
  await expect(as.requests.next("token", { timeout: "50ms" })).rejects.toThrow("0.05 seconds are over");
  using gate = as.hold("token");
  await expect(gate.arrived(1, "50ms")).rejects.toThrow("0.05 seconds are over");
});

test("a mock with a hook that never returns is closed all the same", async () => {
  const as = await createMock();
  as.on("jwks", () => new Promise(() => {}));
  as.fetch(`${as.issuer}/oauth2/jwks`).catch(() => {});
  await expect(as.close()).rejects.toThrow("still running");
});
