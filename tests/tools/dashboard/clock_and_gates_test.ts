/** The pages of the clock, of the gates and of the look-alikes. */

import { assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { byId, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { load, openControlled, type OpenedDashboard, openPlain, origin, press } from "./open_dashboard.ts";
import { type ListedRow, readRows } from "./read_rows.ts";
import { getCode, redeem, spaOptions } from "./spa.ts";

const clockPath = "/misbehaviours/clock";
const gatesPath = "/misbehaviours/gates";
const lookAlikesPath = "/misbehaviours/look_alikes";

async function show(dashboard: OpenedDashboard, at: string) {
  return readHtml(await load(dashboard, at));
}

const frozen = { time: () => 1_893_456_000 };

test("clock page: the refusal of a code that expired by a turn of the clock leads to this page", async () => {
  const dashboard = await openControlled(spaOptions);
  const code = await getCode(dashboard);
  dashboard.as.clock.advance(400);
  await redeem(dashboard, code);
  const [, row] = readRows(await (await dashboard.send("/inspector")).text()) as [ListedRow, ListedRow];
  assertEquals([row.outcome, row.reason], ["refused", "The code has expired"]);
  assertEquals(row.turned, "The clock was turned ahead by 6 min 40 s.");
  const page = await (await dashboard.send(row.href)).text();
  assertStringIncludes(page, "so the client was not slow.");
  assertStringIncludes(page, `<a href="${clockPath}">Set the clock</a>`);
});

test("clock page: it says until when an access token of now is good", async () => {
  await using dashboard = await openControlled(frozen);
  const page = textOf(await show(dashboard, clockPath));
  assertStringIncludes(page, "An access token that is issued now ends at 2030-01-01 01:00:00 UTC.");
});

test("clock page: without --control it shows the time of the server", async () => {
  const page = await show(openPlain(), clockPath);
  assertMatch(textOf(byId(page, "server-time")), /^\d{4}-\d\d-\d\d .* UTC$/);
  assertEquals(findById(page, "move-heading"), undefined);
});

const turns: readonly (readonly [forms: readonly Readonly<Record<string, string>>[], shown: string])[] = [
  [[{ action: "advance", by: "-1h" }], "2029-12-31 23:00:00 UTC"],
  [[{ step: "1h" }], "2030-01-01 01:00:00 UTC"],
  [
    [{ action: "skew", skew: " 90 " }, { action: "set", to: "2031-01-01T00:00:00Z" }],
    "2031-01-01 00:00:00 UTC",
  ],
];
for (const [forms, shown] of turns) {
  test(`clock page: after ${JSON.stringify(forms.at(-1))}, clients see ${shown}`, async () => {
    await using dashboard = await openControlled(frozen);
    for (const form of forms) await press(dashboard, clockPath, form);
    assertEquals(textOf(byId(await show(dashboard, clockPath), "server-time")), shown);
  });
}

test("gates page: one button opens all gates", async () => {
  await using dashboard = await openControlled();
  const gates = [dashboard.as.hold("jwks"), dashboard.as.hold("token")];
  const open = await press(dashboard, gatesPath, { action: "open_all" });
  assertEquals(textOf(byId(open, "closed")), "No gate is closed: every request passes.");
  for (const gate of gates) gate[Symbol.dispose]();
});

test("gates page: requests wait at a gate that is closed on the page, and its buttons release them", async () => {
  const dashboard = await openControlled();
  const { as } = dashboard;
  const closed = await press(dashboard, gatesPath, { action: "close", endpoint: "jwks", kind: "hold" });
  assertEquals(textOf(byId(closed, "waiting-gate-1")), "0 waiting");
  assertEquals(findById(closed, "release_one-gate-1"), undefined);
  assertStringIncludes(textOf(closed), "A gate is closed: jwks.");
  let answered = 0;
  const fetching = [1, 2, 3].map(async () => {
    await (await as.fetch(`${origin}/oauth2/jwks`)).text();
    answered++;
  });
  const control = as.hold("token");
  await until(async () => textOf(byId(await show(dashboard, gatesPath), "waiting-gate-1")) === "3 waiting");
  // A gate that a test closed is listed, too.
  assertStringIncludes(textOf(byId(await show(dashboard, gatesPath), "gate-2")), "token");
  control[Symbol.dispose]();
  const one = await press(dashboard, gatesPath, { action: "release_one gate-1" });
  await fetching[0];
  assertEquals(answered, 1);
  assertEquals(textOf(byId(one, "waiting-gate-1")), "2 waiting");
  await press(dashboard, gatesPath, { action: "release_all gate-1" });
  await Promise.all(fetching);
  // The gate is still closed.
  const late = as.fetch(`${origin}/oauth2/jwks`);
  await until(async () => textOf(byId(await show(dashboard, gatesPath), "waiting-gate-1")) === "1 waiting");
  const open = await press(dashboard, gatesPath, { action: "open gate-1" });
  assertEquals((await late).status, 200);
  assertEquals(findById(open, "gate-1"), undefined);
  await as.close();
});

/** Waits until other tasks of this process have made something true. */
async function until(isTrue: () => Promise<boolean>): Promise<void> {
  while (!await isTrue()) await new Promise((resolve) => setTimeout(resolve));
}

test("gates page: a failure applies to as many requests as the person says", async () => {
  const dashboard = await openControlled();
  const { as } = dashboard;
  const fail = {
    action: "close",
    endpoint: "jwks",
    kind: "fail",
    count: "1",
    status: "500",
    retryAfter: "2s",
  };
  assertMatch(textOf(byId(await press(dashboard, gatesPath, fail), "gate-1")), /status 500, Retry-After 2s/);
  const failed = await as.fetch(`${origin}/oauth2/jwks`);
  assertEquals([failed.status, failed.headers.get("retry-after")], [500, "2"]);
  await failed.body?.cancel();
  const after = byId(await show(dashboard, gatesPath), "closed");
  // It is used up, so it is not closed now.
  const columns = "Requests toWhat happensUntil nowOpen";
  const row = "jwksfail with the status 500, Retry-After 2s1Remove it (fail jwks)";
  assertEquals(textOf(after), `No gate is closed: every request passes.Used up${columns}${row}`);
  assertEquals(textOf(await show(dashboard, gatesPath)).includes("closed: jwks"), false);
  const removed = await press(dashboard, gatesPath, { action: "open gate-1" });
  assertEquals(textOf(byId(removed, "closed")), "No gate is closed: every request passes.");
  await as.close();
});

test("gates page: a gate with a request that waits is closed, although it applies to no further one", async () => {
  const dashboard = await openControlled();
  const gate = dashboard.as.hold("jwks", { count: 1 });
  const fetching = dashboard.as.fetch(`${origin}/oauth2/jwks`);
  const showState = async () => textOf(byId(await show(dashboard, gatesPath), "closed"));
  await gate.arrived();
  assertStringIncludes(await showState(), "1 waiting");
  assertFalse((await showState()).includes("Used up"));
  await press(dashboard, gatesPath, { action: "release_one gate-1" });
  await (await fetching).body?.cancel();
  assertMatch(await showState(), /^No gate is closed.*Used up.*wait until you release them1Remove it/);
  await dashboard.as.close();
});

test("misbehaviours: an action that no button of the page has is refused", async () => {
  const dashboard = await openControlled(frozen);
  for (const path of [clockPath, gatesPath, lookAlikesPath, "/misbehaviours/id_token.aud_wrong"]) {
    const page = await press(dashboard, path, { action: "constructor", name: "github" }, 400);
    assertStringIncludes(textOf(page), "The form has no button of this page", path);
  }
});
