/** One mock for all tests of a worker. The test whose name says so fails. */
import { matchers, type MockFixtures, mockFixtures } from "postern/vitest";
import { expect, test as base } from "vitest";

expect.extend(matchers);
const test = base.extend<MockFixtures>(mockFixtures({ per: "worker", start: (as) => as.listen() }));
let issuer = "";

test("a refresh passes", async ({ as }) => {
  issuer = as.issuer;
  await as.refresh(await as.login("bob"));
  expect(as).toHaveRefreshedOnce({ person: "bob" });
});

test("the client fails", async ({ as }) => {
  const { access_token } = await as.login("alice");
  expect(access_token).toBeIssuedFor({ by: as, person: "bob" });
});

test("the mock stays, but was reset", ({ as }) => {
  expect(as.issuer).toBe(issuer);
  expect(as.requests).toHaveLength(0);
});
