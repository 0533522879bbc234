/** A mock for each test. The test whose name says so fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertIssuedFor, assertRefreshedOnce, assertUsedPkce, openTestMock } from "postern/node-test";

const start = (as) => as.intercept();

test("a login passes", async (t) => {
  const as = await openTestMock(t, { start });
  const { access_token } = await as.login("bob");
  assertUsedPkce(as);
  assertIssuedFor(access_token, { by: as, client: "app", person: "bob" });
  assert.throws(() => assertRefreshedOnce(as), assert.AssertionError);
});

test("the client fails", async (t) => {
  const as = await openTestMock(t, { start });
  await as.login("alice");
  assertRefreshedOnce(as, { client: "app" });
});

test("the next mock is new, although a test has failed", async (t) => {
  const as = await openTestMock(t, { start });
  assert.equal(as.requests.length, 0);
  assert.equal((await fetch(`${as.issuer}/oauth2/jwks`)).status, 200);
});
