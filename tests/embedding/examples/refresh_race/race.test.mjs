/** Two requests find the token expired at the same time: the race and its fix, shown with a gate, without a timer. */

import assert from "node:assert/strict";
import { test } from "node:test";
import { createMock } from "postern/mock";
import { Session, SingleFlightSession } from "./session.mjs";

async function refreshTwiceAtOnce(as, session, arriving) {
  const gate = as.hold("token");
  const both = [session.refresh(), session.refresh()];
  await gate.arrived(arriving);
  gate.release();
  return (await Promise.allSettled(both)).map(({ status }) => status).sort();
}

test("the race: two refreshes at the same time end the session", async (t) => {
  const as = await createMock();
  t.after(() => as.close());
  const session = new Session(await as.login("bob"), as.fetch);
  assert.deepEqual(await refreshTwiceAtOnce(as, session, 2), ["fulfilled", "rejected"]);
  assert.equal(as.requests.token.last.refusal.reason, "refresh_reused");
  await assert.rejects(session.refresh(), { message: "invalid_grant" });
});

test("the fix: one refresh serves both", async (t) => {
  const as = await createMock();
  t.after(() => as.close());
  const session = new SingleFlightSession(await as.login("bob"), as.fetch);
  assert.deepEqual(await refreshTwiceAtOnce(as, session, 1), ["fulfilled", "fulfilled"]);
  assert.equal(as.requests.token.filter(({ grantType }) => grantType === "refresh_token").length, 1);
  await session.refresh();
});
