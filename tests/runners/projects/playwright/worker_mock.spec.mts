/** One mock for all tests of a worker. The test whose name says so fails. */
import { expect as baseExpect, test as base } from "@playwright/test";
import { matchers, type MockFixtures, mockFixtures } from "postern/playwright";

const expect = baseExpect.extend(matchers);
const test = base.extend<object, MockFixtures>(mockFixtures({ per: "worker" }));
let issuer = "";

test("a refresh passes", async ({ as }) => {
  issuer = as.issuer;
  await as.refresh(await as.login("bob"));
  expect(as).toHaveRefreshedOnce({ person: "bob" });
});

test("the mock stays, but was reset", ({ as }) => {
  expect(as.issuer).toBe(issuer);
  expect(as.requests).toHaveLength(0);
});

test("the client fails", async ({ as }) => {
  const { access_token } = await as.login("alice");
  expect(access_token).toBeIssuedFor({ by: as, person: "bob" });
});
