/** One mock for all tests of the file. The test whose name says so fails. */
import { afterAll, expect, test as base } from "bun:test";
import { matchers, testWithMock } from "postern/bun";

expect.extend(matchers);
const test = testWithMock({ test: base, afterAll }, { per: "file", start: (as) => as.listen() });
let issuer = "";

test("a refresh passes", async (as) => {
  issuer = as.issuer;
  await as.refresh(await as.login("bob"));
  expect(as).toHaveRefreshedOnce({ person: "bob" });
});

test("the client fails", async (as) => {
  const { access_token } = await as.login("alice");
  expect(access_token).toBeIssuedFor({ by: as, person: "bob" });
});

test("the mock stays, but was reset", (as) => {
  expect(as.issuer).toBe(issuer);
  expect(as.requests).toHaveLength(0);
});
