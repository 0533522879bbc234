/** One mock for all tests of the file. The test whose name says so fails. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { assertIssuedFor, assertRefreshedOnce, openFileMock } from "postern/node-test";

const as = await openFileMock({ start: (as) => as.listen() });
const { issuer } = as;

test("a refresh passes", async () => {
  await as.refresh(await as.login("bob"));
  assertRefreshedOnce(as, { person: "bob" });
});

test("the client fails", async () => {
  const { access_token } = await as.login("alice");
  assertIssuedFor(access_token, { by: as, person: "bob" });
});

test("the mock stays, but was reset", () => {
  assert.equal(as.issuer, issuer);
  assert.equal(as.requests.length, 0);
});
