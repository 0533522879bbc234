/** The pages on which the server is made wrong: the catalogue, switches and verdicts, and who may use them. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { areas, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { authorizeUrl } from "../../kit/mock/authorize_url.ts";
import { byId, findAll, findById, readHtml, rowsOf, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import {
  formTokenOf,
  load,
  openControlled,
  type OpenedDashboard,
  openPlain,
  origin,
  press,
} from "./open_dashboard.ts";

const wrongIss = "authorization_response.iss_wrong";
const path = `/misbehaviours/${wrongIss}`;

async function show(dashboard: OpenedDashboard, at: string) {
  return readHtml(await load(dashboard, at));
}

/** Sends a form that the page refuses, and returns the problem. */
async function refused(dashboard: OpenedDashboard, at: string, form: Readonly<Record<string, string>>) {
  return textOf(byId(await press(dashboard, at, form, 400), "problem"));
}

const issOf = async (as: Mock, client_id = "app") =>
  (await as.authorize(authorizeUrl(as.issuer, { client_id }))).searchParams.get("iss");

test("misbehaviours page: every misbehaviour is in its area, and has a page of its own", async () => {
  const dashboard = openPlain();
  const first = await show(dashboard, "/misbehaviours");
  const links = findAll(byId(first, "areas"), "a").map(({ attributes }) => attributes.get("href")!);
  const ofLevels = links.filter((link) => !link.endsWith("level="));
  assertEquals(links.length - ofLevels.length, areas.length);
  const found: string[] = [];
  for (const link of ofLevels) {
    const list = findAll(byId(await show(dashboard, link), "found"), "a");
    found.push(
      ...list.flatMap(({ attributes }) =>
        /^\/misbehaviours\/(\w+\.\w+)$/.exec(attributes.get("href")!)?.[1] ?? []
      ),
    );
  }
  assertEquals(found.toSorted(), misbehaviourNames.toSorted());
  for (const name of ["id_token.nonce_wrong", "proof.replayed", "access_token.expired"] as const) {
    const { server, client, rule } = catalogue.get(name)!;
    const text = textOf(await show(dashboard, `/misbehaviours/${name}`));
    for (const each of [server, client, rule]) assertStringIncludes(text, each);
    assertMatch(
      text,
      name.startsWith("proof.")
        ? /npx postern examine-api [^$]*--dpop --only proof\./
        : /npx postern start --misbehave /,
    );
  }
});

test("misbehaviours page: a fault of a client's logins has no switch, and the commands that examine them", async () => {
  const dashboard = await openControlled();
  const name = "login.state_repeated";
  const page = await show(dashboard, `/misbehaviours/${name}`);
  assertStringIncludes(textOf(byId(page, "elsewhere")), "This is a fault of a client");
  assertEquals(findById(page, "switch"), undefined);
  const examples = textOf(byId(page, "examples"));
  assertStringIncludes(examples, `examine --only ${name} -- npm test`);
  assertFalse(/--misbehave|as\.misbehave|_postern/.test(examples), examples);
  const list = await show(dashboard, "/misbehaviours?area=login");
  assertMatch(textOf(byId(list, "found")), /sent by a client/);
  assertStringIncludes(
    await refused(dashboard, "/misbehaviours?area=login", { on: name }),
    "no button of this page",
  );
  await dashboard.as.close();
});

test("misbehaviours page: the search finds by name, sentence, rule, area and level", async () => {
  const dashboard = openPlain();
  const namesOf = async (query: string) => {
    const list = findAll(byId(await show(dashboard, `/misbehaviours?${query}`), "found"), "th")
      .filter(({ attributes }) => attributes.get("scope") === "row");
    return list.map((each) => textOf(each).replaceAll(/\s/g, ""));
  };
  assertEquals((await namesOf("q=nonce+wrong&area=id_token")).includes("id_token.nonce_wrong"), true);
  assertEquals(await namesOf("q=9207&level=must&area=authorization_response"), [
    ...[...catalogue].filter(([name, { level, rule }]) =>
      name.startsWith("authorization_response.") && level === "must" && rule.includes("9207")
    ).map(([name]) => name),
  ]);
  assertEquals(await namesOf("q=no+such+thing"), []);
  assertEquals((await namesOf("q=bad+signature&area=id_token")).includes("id_token.signature_bad"), true);
  const many = await show(dashboard, "/misbehaviours?level=must");
  assert(findById(many, "areas") !== undefined);
  // A form without scripts sends every field.
  assertEquals(
    await namesOf("q=&area=revocation&level="),
    misbehaviourNames.filter((name) => name.startsWith("revocation.")),
  );
});

test("misbehaviours page: a switch makes the server wrong for one client, n times, and the page says so", async () => {
  const clients = ["app", "another"].map((id) => ({
    client_id: id,
    redirect_uris: ["https://app.test/callback"],
  }));
  const dashboard = await openControlled({ clients });
  const { as } = dashboard;
  const page = await press(dashboard, path, { action: "switch_on", client: "app", times: "1" });
  assertStringIncludes(textOf(byId(page, "on")), "for the client app, 1 answer");
  assertEquals(await issOf(as, "another"), origin);
  assert(await issOf(as) !== origin);
  assertEquals(await issOf(as), origin);
  const after = await show(dashboard, path);
  assertStringIncludes(textOf(byId(after, "on")), "The server has given 1 wrong answer.");
  assertStringIncludes(textOf(after), "1 misbehaviour is on");
  const first = await show(dashboard, "/misbehaviours");
  assertStringIncludes(textOf(byId(first, "misbehaviour-1")), wrongIss);
  assertEquals(
    findById(await press(dashboard, path, { action: "switch_off misbehaviour-1" }), "misbehaviour-1"),
    undefined,
  );
  await as.close();
});

test("misbehaviours page: the requests prove the verdict, and the person can settle it", async () => {
  const dashboard = await openControlled({ people: [{ username: "alice" }] });
  const { as } = dashboard;
  await press(dashboard, path, { action: "switch_on", username: "alice" });
  await as.login("alice");
  const proven = byId(await show(dashboard, path), "on");
  assertStringIncludes(textOf(proven), "Fooled.");
  const evidence = findAll(proven, "a").map(({ attributes }) => attributes.get("href"));
  assert(evidence.length > 0 && evidence.every((href) => href?.startsWith("/inspector/")));
  const settled = await press(dashboard, path, { action: "error misbehaviour-1" });
  assertStringIncludes(textOf(byId(settled, "on")), "This verdict is final.");
  await press(dashboard, "/misbehaviours", { action: "switch_off misbehaviour-1" });
  // Without a request that proves something, the word of the person decides.
  await press(dashboard, path, { action: "switch_on" });
  await issOf(as);
  const noticed = await press(dashboard, path, { action: "error misbehaviour-2" });
  assertStringIncludes(
    textOf(byId(noticed, "on")),
    "Noticed. The client refused: Application: it showed an error",
  );
  await as.close();
});

test("misbehaviours page: after Switch off, the pages still show what the client did", async () => {
  const dashboard = await openControlled();
  const { as } = dashboard;
  await press(dashboard, path, { action: "switch_on", client: "app" });
  await as.login("alice", { client: "app" });
  const off = await press(dashboard, path, { action: "switch_off misbehaviour-1" });
  assertEquals(textOf(byId(off, "on")), "");
  const ended = byId(off, "ended");
  assertMatch(textOf(ended), /for the client app.*1 wrong answer\..*Fooled\. Afterwards the client sent/);
  for (const { attributes } of findAll(ended, "a")) {
    assertEquals((await dashboard.send(attributes.get("href")!)).status, 200);
  }
  assertEquals(findAll(ended, "form"), []);
  assertMatch(textOf(byId(await show(dashboard, "/misbehaviours"), "ended")), /iss_wrong Fooled\./);
  as.tenant("acme");
  assertEquals(findById(await show(dashboard, "/acme/misbehaviours"), "ended"), undefined);
  // A new run replaces the old one.
  const again = await press(dashboard, path, { action: "switch_on" });
  assertEquals(findById(again, "ended"), undefined);
  const restored = await press(dashboard, "/misbehaviours", { action: "restore" });
  assertMatch(textOf(byId(restored, "ended")), /iss_wrongNot reached\./);
  await as.close();
});

test("misbehaviours page: a wrong field changes nothing, and the page keeps what was typed", async () => {
  const dashboard = await openControlled({
    clients: [{ client_id: "app", redirect_uris: ["https://app.test/cb"] }],
  });
  const { as } = dashboard;
  const attempts = [
    [{ times: "0" }, /a whole number above 0 as times/],
    [{ times: "soon" }, /Answers: "soon" is not a number/],
    [{ probability: "2" }, /a number from 0 to 1/],
    [{ username: "mallory" }, /mallory/],
  ] as const;
  for (const [fields, problem] of attempts) {
    assertMatch(await refused(dashboard, path, { action: "switch_on", ...fields }), problem);
  }
  assertMatch(await refused(dashboard, path, { action: "explode" }), /./);
  const html = await (await dashboard.send(path)).text();
  const again = await dashboard.post(path, {
    form_token: formTokenOf(html, path),
    action: "switch_on",
    times: "soon",
  });
  assertEquals(byId(readHtml(await again.text()), "times").attributes.get("value"), "soon");
  assertEquals(findById(await show(dashboard, path), "misbehaviour-1"), undefined);
  const gone = await dashboard.post(path, {
    form_token: formTokenOf(html, path),
    action: "switch_off misbehaviour-9",
  });
  assertEquals(gone.status, 404);
  const misspelt = await dashboard.send("/misbehaviours/id_token.wrong_nonce");
  assertEquals(misspelt.status, 404);
  assertStringIncludes(await misspelt.text(), "Did you mean id_token.nonce_wrong?");
  await as.close();
});

test("misbehaviours page: it lists what --misbehave and a test have switched on, and one button ends it all", async () => {
  const dashboard = await openControlled({ misbehave: [wrongIss], lookLike: "github" });
  const { as } = dashboard;
  using _gate = as.hold("jwks");
  as.clock.advance("1h");
  const page = await show(dashboard, "/misbehaviours");
  assertStringIncludes(textOf(byId(page, "on")), wrongIss);
  for (const each of ["GitHub", "A gate is closed", "The clock is 1 h ahead"]) {
    assertStringIncludes(textOf(page), each);
  }
  const right = byId(await press(dashboard, "/misbehaviours", { action: "restore" }), "on");
  assertEquals(textOf(right), "Nothing is on: the server answers as the standards say.");
  assertEquals([await issOf(as), as.clock.skewed], [origin, 0]);
  await as.close();
});

test("misbehaviours page: the switch in a row of the list leads back to the same list", async () => {
  const dashboard = await openControlled();
  const { as } = dashboard;
  const list = `/misbehaviours?q=${wrongIss}`;
  const rowOf = (page: Awaited<ReturnType<typeof show>>) => textOf(rowsOf(byId(page, "found"))[0]!);
  assertMatch(rowOf(await show(dashboard, list)), /^authorization_response\.iss_wrong.*mustSwitch on$/);
  const on = await press(dashboard, list, { on: wrongIss });
  assertMatch(rowOf(on), /mustSwitch off$/);
  assert(await issOf(as) !== origin);
  const off = await press(dashboard, list, { action: "switch_off misbehaviour-1" });
  assertMatch(rowOf(off), /mustSwitch on$/);
  assertStringIncludes(await refused(dashboard, list, { on: "proof.replayed" }), "no button of this page");
  assertStringIncludes(rowOf(await show(dashboard, "/misbehaviours?area=proof")), "sent to an API");
  await as.close();
});

test("misbehaviours page: a tenant has pages of its own, and changes itself alone", async () => {
  const dashboard = await openControlled();
  const { as } = dashboard;
  const acme = as.tenant("acme");
  await press(dashboard, `/acme${path}`, { action: "switch_on" });
  assertFalse(textOf(await show(dashboard, "/misbehaviours")).includes(wrongIss));
  assertStringIncludes(textOf(byId(await show(dashboard, "/acme/misbehaviours"), "on")), wrongIss);
  assertStringIncludes(textOf(await show(dashboard, `/acme${path}`)), "/_postern/tenants/acme/misbehaviours");
  assertEquals(await issOf(as), origin);
  assert((await acme.authorize(authorizeUrl(acme.issuer))).searchParams.get("iss") !== acme.issuer);
  // The form of one tenant is not good at another.
  const form_token = formTokenOf(await (await dashboard.send(path)).text(), path);
  assertEquals((await dashboard.post(`/acme${path}`, { form_token, action: "switch_on" })).status, 403);
  await as.close();
});

const markup = `"><script>alert(1)</script><img src=x onerror=alert(1)>`;

test("misbehaviours page: markup in ids, names, searches and fields stays text", async () => {
  const dashboard = await openControlled({
    clients: [{ client_id: markup, redirect_uris: ["https://app.test/cb"] }],
    people: [{ username: markup, sub: "a-person" }],
  });
  await press(dashboard, path, { action: "switch_on", client: markup, username: markup });
  const bodies = [
    await dashboard.send(path),
    await dashboard.send("/misbehaviours"),
    await dashboard.send(`/misbehaviours?${new URLSearchParams({ q: markup, area: markup, level: markup })}`),
    await dashboard.send(`/misbehaviours/${encodeURIComponent(markup)}`),
    await dashboard.send("/misbehaviours/look_alikes"),
  ];
  const form_token = formTokenOf(await (await dashboard.send(path)).text(), path);
  bodies.push(await dashboard.post(path, { form_token, action: "switch_on", client: markup, times: markup }));
  for (const response of bodies) {
    const html = await response.text();
    assertFalse(/<script>alert|<img src=x/.test(html), html.slice(0, 200));
    assert((response.headers.get("content-security-policy") ?? "").includes("script-src 'self'"));
  }
  await dashboard.as.close();
});
