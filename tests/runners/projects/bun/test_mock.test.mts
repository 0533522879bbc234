/** A mock for each test. The test whose name says so fails. */
import { afterAll, expect, test as base } from "bun:test";
import { matchers, testWithMock } from "postern/bun";

expect.extend(matchers);
const test = testWithMock({ test: base, afterAll }, { start: (as) => as.intercept() });

test("a login passes", async (as) => {
  const { access_token } = await as.login("bob");
  expect(as).toHaveUsedPkce();
  expect(as).not.toHaveRefreshedOnce();
  expect(access_token).toBeIssuedFor({ by: as, client: "app", person: "bob" });
  // @ts-expect-error: a token has no user
  expect(() => expect(access_token).toBeIssuedFor({ by: as, user: "bob" })).toThrow(TypeError);
});

test("the client fails", async (as) => {
  await as.login("alice");
  expect(as).toHaveRefreshedOnce({ client: "app" });
});

test("the next mock is new, although a test has failed", async (as) => {
  expect(as.requests).toHaveLength(0);
  expect((await fetch(`${as.issuer}/oauth2/jwks`)).status).toBe(200);
});
