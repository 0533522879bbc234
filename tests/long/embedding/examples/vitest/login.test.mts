/** Vitest: one server for the file, reset after every test, and its clock follows the fake timers. */

import { createMock } from "postern/mock";
import { afterAll, afterEach, expect, test, vi } from "vitest";

const as = await createMock();
as.intercept();
afterEach(() => {
  vi.useRealTimers();
  as.reset();
});
afterAll(() => as.close());

test("a token is good for an hour", async () => {
  vi.useFakeTimers();
  const { access_token: token } = await as.login("bob");
  const ask = () => fetch("https://as.test/userinfo", { headers: { authorization: `Bearer ${token}` } });
  expect(await (await ask()).json()).toMatchObject({ sub: "bob", name: "Bob Brown" });
  vi.advanceTimersByTime(3_600_000);
  expect((await ask()).status).toBe(401);
});

test("bob says no", async () => {
  await expect(as.login("bob", { deny: true })).rejects.toMatchObject({ error: "access_denied" });
  expect(as.requests.token).toHaveLength(0);
});
