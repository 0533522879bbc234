/** The pages of the clock, of the gates and of the look-alikes. */

import { assert, assertEquals, assertMatch, assertStringIncludes } from "@std/assert";
import { attribute, byId, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { load, openControlled, type OpenedDashboard, openPlain, origin, press } from "./open_dashboard.ts";
import { readRows } from "./read_rows.ts";
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
  const row = readRows(await (await dashboard.send("/inspector")).text()).at(-1)!;
  assertEquals([row.outcome, row.reason], ["refused", "The code has expired"]);
  assertEquals(row.turned, "The clock was turned ahead by 6 min 40 s before the next request.");
  const page = await (await dashboard.send(row.href)).text();
  assertStringIncludes(page, "so the client was not slow.");
  assertStringIncludes(page, `<a href="${clockPath}">Set the clock</a>`);
});

test("clock page: every form turns the clock, the page and the strip show it, and a button sets it right", async () => {
  const dashboard = await openControlled(frozen);
  const { as } = dashboard;
  const timeOn = (page: Awaited<ReturnType<typeof show>>) => textOf(byId(page, "server-time"));
  assertEquals(timeOn(await show(dashboard, clockPath)), "2030-01-01 00:00:00 UTC");
  const later = await press(dashboard, clockPath, { step: "1h" });
  assertEquals(timeOn(later), "2030-01-01 01:00:00 UTC");
  assertStringIncludes(textOf(later), "The clock is 1 h ahead. Set it");
  const late = await press(dashboard, clockPath, { step: "-1d" });
  assertEquals(timeOn(late), "2029-12-31 01:00:00 UTC");
  assertStringIncludes(textOf(late), "The clock is 23 h behind.");
  assertEquals(
    timeOn(await press(dashboard, clockPath, { action: "advance", by: "23h 5m" })),
    "2030-01-01 00:05:00 UTC",
  );
  const turned = await press(dashboard, clockPath, { action: "set", to: "2031-05-06T07:08:09Z" });
  assertEquals(timeOn(turned), "2031-05-06 07:08:09 UTC");
  const stopped = await press(dashboard, clockPath, { action: "freeze" });
  assertEquals([textOf(byId(stopped, "clock-state")), as.clock.frozen], ["stopped", true]);
  assertStringIncludes(textOf(stopped), "The clock is stopped at 2031-05-06 07:08:09 UTC.");
  assertEquals(
    textOf(byId(await press(dashboard, clockPath, { action: "resume" }), "clock-state")),
    "turned, and running",
  );
  const skewed = await press(dashboard, clockPath, { action: "skew", skew: "-90s" });
  assertStringIncludes(textOf(byId(skewed, "clock")), "1 min 30 s behind the right time");
  assertEquals(timeOn(skewed), "2031-05-06 07:06:39 UTC");
  const right = await press(dashboard, clockPath, { action: "reset" });
  assertEquals([timeOn(right), findById(right, "reset")], ["2030-01-01 00:00:00 UTC", undefined]);
  await as.close();
});

test("clock page: one sentence says what clients see, and how long a token of now is good", async () => {
  const dashboard = await openControlled(frozen);
  const sentence = (page: Awaited<ReturnType<typeof show>>) => textOf(findAll(byId(page, "clock"), "p")[0]!);
  assertEquals(
    sentence(await show(dashboard, clockPath)),
    "Clients see 2030-01-01 00:00:00 UTC, the right time. " +
      "An access token that is issued now ends at 2030-01-01 01:00:00 UTC.",
  );
  const late = await press(dashboard, clockPath, { action: "skew", skew: "-1h" });
  assertStringIncludes(
    sentence(late),
    "2029-12-31 23:00:00 UTC, turned, and running (1 h behind the right time)",
  );
  // The field has the time that the sentence says, and sets it.
  assertEquals(attribute(byId(late, "to"), "value"), "2029-12-31T23:00:00Z");
  const set = await press(dashboard, clockPath, { action: "set", to: "2029-12-31T20:00:00Z" });
  assertStringIncludes(sentence(set), "2029-12-31 20:00:00 UTC, turned, and running (1 h behind");
  await dashboard.as.close();
});

test("clock page: text that is no time is refused, and the clock stays", async () => {
  const dashboard = await openControlled(frozen);
  const attempts = [
    [{ action: "advance", by: "soon" }, /soon/],
    [{ action: "set", to: "2030-13-01" }, /with a time zone/],
    [{ action: "skew", skew: "" }, /./],
    [{ action: "explode" }, /no button/],
  ] as const;
  for (const [form, problem] of attempts) {
    assertMatch(textOf(byId(await press(dashboard, clockPath, form, 400), "problem")), problem);
  }
  assertEquals(dashboard.as.clock.now, frozen.time());
  await dashboard.as.close();
});

test("clock page: without --control it shows the time of the server", async () => {
  assertMatch(textOf(byId(await show(openPlain(), clockPath), "server-time")), /^\d{4}-\d\d-\d\d .* UTC$/);
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

test("gates page: delay, failure and drop apply to as many requests as the person says", async () => {
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
  const after = byId(await show(dashboard, gatesPath), "gate-1");
  assertMatch(textOf(after), /^jwksfail with the status 500, Retry-After 2s10Remove it/);
  assertEquals(textOf(await show(dashboard, gatesPath)).includes("closed: jwks"), false);
  await press(dashboard, gatesPath, {
    action: "close",
    endpoint: "jwks",
    kind: "delay",
    by: "1ms",
    count: "1",
  });
  await press(dashboard, gatesPath, { action: "close", endpoint: "token", kind: "drop" });
  assertStringIncludes(textOf(await show(dashboard, gatesPath)), "Gates are closed: jwks, token.");
  const open = await press(dashboard, gatesPath, { action: "open_all" });
  assertStringIncludes(textOf(byId(open, "closed")), "No gate is closed");
  assert((await as.login()).access_token);
  await as.close();
});

test("gates page: terms that do not fit are refused, and no gate closes", async () => {
  const dashboard = await openControlled();
  const close = { action: "close", endpoint: "token" };
  const attempts = [
    [{ ...close, kind: "delay" }, /duration/],
    [{ ...close, kind: "fail", status: "404" }, /429 or a status from 500/],
    [{ ...close, kind: "hold", count: "many" }, /How many: "many" is not a number/],
    [{ ...close, kind: "melt" }, /kind of this page/],
  ] as const;
  for (const [form, problem] of attempts) {
    assertMatch(textOf(byId(await press(dashboard, gatesPath, form, 400), "problem")), problem);
  }
  assertStringIncludes(textOf(byId(await show(dashboard, gatesPath), "closed")), "No gate is closed");
  await dashboard.as.close();
});

test("gates page: what was typed for another kind does not count, because the page hides it", async () => {
  const dashboard = await openControlled();
  const hidden = { by: "3s", status: "404", retryAfter: "soon" };
  const closed = await press(dashboard, gatesPath, {
    ...{ action: "close", endpoint: "token", kind: "hold" },
    ...hidden,
  });
  assertMatch(textOf(byId(closed, "gate-1")), /^tokenwait until you release them0 waiting0all/);
  await dashboard.as.close();
});

test("look-alikes page: the server answers like a provider until it is switched off", async () => {
  const dashboard = await openControlled();
  const { as } = dashboard;
  const on = await press(dashboard, lookAlikesPath, { action: "switch_on github", client: "app" });
  assertStringIncludes(textOf(byId(on, "look_alike-1")), "for the client app");
  // Another client may meet another provider, but not every client.
  assert(byId(on, "switch_on-google"));
  const again = await press(dashboard, lookAlikesPath, { action: "switch_on google" }, 400);
  assertMatch(textOf(byId(again, "problem")), /switch it off first/);
  const google = findAll(byId(again, "google"), "a")[0]!.attributes.get("href")!;
  assertMatch(
    textOf(byId(await show(dashboard, google.split("#")[0]!), "google")),
    /The response to a refresh/,
  );
  const off = await press(dashboard, lookAlikesPath, { action: "switch_off look_alike-1" });
  assertEquals(findById(off, "look_alike-1"), undefined);
  const forAll = await press(dashboard, lookAlikesPath, { action: "switch_on google" });
  assertStringIncludes(textOf(byId(forAll, "look_alike-2")), "for every client");
  assertEquals(findAll(byId(forAll, "providers"), "button"), []);
  assertMatch(
    textOf(byId(await press(dashboard, lookAlikesPath, { action: "switch_on nowhere" }, 400), "problem")),
    /no button/,
  );
  await as.close();
});

test("misbehaviours: an action that no button of the page has is refused", async () => {
  const dashboard = await openControlled(frozen);
  for (const path of [clockPath, gatesPath, lookAlikesPath, "/misbehaviours/id_token.aud_wrong"]) {
    const page = await press(dashboard, path, { action: "constructor", name: "github" }, 400);
    assertStringIncludes(textOf(page), "The form has no button of this page", path);
  }
});
