/** A mock for each test. The test whose name says so fails. */
import { expect as baseExpect, test as base } from "@playwright/test";
import { matchers, type MockFixtures, mockFixtures } from "postern/playwright";

const expect = baseExpect.extend(matchers);
const test = base.extend<MockFixtures>(mockFixtures());
let before = "";

test("a login passes", async ({ as, request }) => {
  before = as.issuer;
  const { access_token } = await as.login("bob");
  expect(as).toHaveUsedPkce();
  expect(as).not.toHaveRefreshedOnce();
  expect(access_token).toBeIssuedFor({ by: as, client: "app", person: "bob" });
  // @ts-expect-error: a token has no user
  expect(() => expect(access_token).toBeIssuedFor({ by: as, user: "bob" })).toThrow(TypeError);
  expect((await request.get(`${as.issuer}/oauth2/jwks`)).status()).toBe(200);
});

test("the client fails", async ({ as }) => {
  await expect(fetch(before)).rejects.toThrow("fetch failed");
  await as.login("alice");
  expect(as).toHaveRefreshedOnce({ client: "app" });
});

test("the next mock is new, although a test has failed", ({ as }) => {
  expect(as.requests).toHaveLength(0);
});
