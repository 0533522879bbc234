/** The pages on which the server is made wrong: the catalogue, switches and verdicts, and who may use them. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { levels } from "../../../src/kit/faults/misbehaviour.ts";
import { areas, faultySideOf, misbehaviourNames } from "../../../src/kit/faults/names.ts";
import type { Mock } from "../../../src/kit/mock/mock.ts";
import { authorizeUrl } from "../../kit/mock/authorize_url.ts";
import { byId, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";
import { englishLevels } from "../../../src/kit/timeline/levels_english.ts";
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
  const misspelt = await dashboard.send("/misbehaviours/id_token.wrong_nonce");
  assertStringIncludes(await misspelt.text(), "Did you mean id_token.nonce_wrong?");
});

test("misbehaviours page: an area lists all its misbehaviours by level, and has switches for at most 44", async () => {
  await using dashboard = await openControlled();
  const nameOf = (href: string) => /^\/misbehaviours\/(\w+\.\w+)$/.exec(href)?.[1] ?? [];
  for (const area of areas) {
    const names = misbehaviourNames.filter((name) => name.startsWith(`${area}.`));
    const ofLevels = levels.map((level) => names.filter((name) => catalogue.get(name)!.level === level));
    const found = byId(await show(dashboard, `/misbehaviours?area=${area}`), "found");
    const listed = findAll(found, "a").flatMap(({ attributes }) => nameOf(attributes.get("href")!));
    assertEquals(listed, ofLevels.flat(), area);
    assertEquals(
      findAll(found, "h2").map(textOf),
      levels.flatMap((level, at) => {
        const [first] = ofLevels[at]!;
        const reader = catalogue.get(first!)?.api === undefined ? "client" : "api";
        return first === undefined
          ? []
          : [`${level} (${ofLevels[at]!.length}) ${englishLevels[reader][level]}`];
      }),
    );
    assertEquals(
      findAll(found, "th").filter(({ attributes }) => attributes.get("scope") === "row").map(textOf),
      ofLevels.flat().map((name) => name.slice(area.length + 1)),
    );
    const hasSwitches = names.length <= 44;
    const switches = names.filter((name) => hasSwitches && faultySideOf(name) === "server").length;
    assertEquals(findAll(found, "button").length, switches, area);
    const count = textOf(byId(found, "count"));
    assertStringIncludes(count, `${names.length} misbehaviours`);
    assertEquals(
      count.includes("Open one, or a level, to switch it on."),
      !hasSwitches,
      area,
    );
  }
  const ofLevel = byId(await show(dashboard, "/misbehaviours?area=access_token"), "found");
  const [heading] = findAll(ofLevel, "h2");
  const level = findAll(await show(dashboard, findAll(heading!, "a")[0]!.attributes.get("href")!), "button");
  assertEquals(level.filter((each) => textOf(each) === "Switch on").length, 42);
  const all = textOf(byId(await show(dashboard, "/misbehaviours?level=must"), "count"));
  assertMatch(all, /^\d+ misbehaviours: choose an area *Show everything$/);
  const readOnly = await show(openPlain(), "/misbehaviours?area=id_token");
  assertMatch(textOf(byId(readOnly, "count")), /^62 misbehaviours *Show everything$/);
  const nothing = await show(dashboard, "/misbehaviours?area=id_token&q=nothing-like-this");
  assertMatch(textOf(byId(nothing, "found")), /^Nothing fits\. *Show everything$/);
});

test("misbehaviours page: a search shows whole names, and the catalogue says what each level means", async () => {
  await using dashboard = await openControlled();
  const found = byId(await show(dashboard, "/misbehaviours?q=nonce_wrong"), "found");
  const areasOfRows = findAll(found, "small").map(textOf).filter((text) => text.endsWith("."));
  assertEquals([...new Set(areasOfRows)], ["id_token.", "proof.", "dpop."]);
  assertEquals(areasOfRows.length, findAll(found, "tr").length - findAll(found, "table").length);
  assertMatch(textOf(found), /id_token\.nonce_wrong/);
  // Parts of words and rules, in letters of either case.
  for (const [query, name] of [["ONCE_WRON", "id_token.nonce_wrong"], ["rfc 9207", wrongIss]] as const) {
    assertStringIncludes(
      textOf(byId(await show(dashboard, `/misbehaviours?q=${encodeURIComponent(query)}`), "found")),
      name,
    );
  }
  const meanings = findAll(byId(await show(dashboard, "/misbehaviours"), "levels"), "li").map(textOf);
  assertEquals(meanings, levels.map((level) => `${level} ${englishLevels.client[level]}`));
});

test("misbehaviours page: while none is on, the part for it is empty, unless something else is wrong", async () => {
  await using dashboard = await openControlled();
  const showOn = async () => byId(byId(await show(dashboard, "/misbehaviours"), "main"), "on");
  assertEquals((await showOn()).children, []);
  const wrong = dashboard.as.misbehave(wrongIss);
  assertEquals(findAll(await showOn(), "button").length, 2);
  wrong[Symbol.dispose]();
  assertEquals((await showOn()).children, []);
  dashboard.as.clock.advance(60);
  assert(textOf(await showOn()).startsWith("Make everything right again"));
});

test("misbehaviours page: one button makes each thing right that was wrong, and the page stays empty", async () => {
  const makeWrong: readonly ((as: Mock) => unknown)[] = [
    (as) => as.misbehave(wrongIss),
    (as) => as.lookLike("github"),
    (as) => as.hold("jwks"),
    (as) => as.clock.advance(60),
  ];
  for (const wrong of makeWrong) {
    await using dashboard = await openControlled();
    wrong(dashboard.as);
    await press(dashboard, "/misbehaviours", { action: "restore" });
    const on = textOf(byId(byId(await show(dashboard, "/misbehaviours"), "main"), "on"));
    assertFalse(on.includes("Make everything right again"), `${wrong}: ${on}`);
  }
});

test("misbehaviours page: it is on for the client and the person of the form, without the spaces around them", async () => {
  await using dashboard = await openControlled({
    clients: [{ client_id: "shop", redirect_uris: ["https://app.test/cb"] }],
    people: [{ username: "bob" }],
  });
  await press(dashboard, path, { action: "switch_on", client: " shop ", username: " bob " });
  const on = textOf(byId(await show(dashboard, "/misbehaviours"), "on"));
  for (const each of ["shop", "bob"]) assertStringIncludes(on, each);
});

test("misbehaviours page: the newest six that were switched off stay, without those that are on again", async () => {
  await using dashboard = await openControlled();
  const names = misbehaviourNames.filter((name) => name.startsWith("id_token.")).slice(0, 7);
  for (const name of names) {
    dashboard.as.misbehave(name);
    await press(dashboard, "/misbehaviours", { action: "restore" });
  }
  const listed = async () => {
    const links = findAll(byId(await show(dashboard, "/misbehaviours"), "main"), "a");
    const paths = links.map(({ attributes }) => attributes.get("href"));
    return names.map((name) => paths.filter((each) => each === `/misbehaviours/${name}`).length);
  };
  assertEquals(await listed(), [0, 1, 1, 1, 1, 1, 1]);
  using _again = dashboard.as.misbehave(names[6]!);
  assertEquals(await listed(), [0, 1, 1, 1, 1, 1, 1]);
});

test("misbehaviours page: a field that is refused keeps its first 200 characters", async () => {
  await using dashboard = await openControlled();
  const page = await press(dashboard, path, { action: "switch_on", times: "x".repeat(201) }, 400);
  const typed = findAll(page, "input").find(({ attributes }) => attributes.get("name") === "times");
  assertEquals(typed?.attributes.get("value"), "x".repeat(200));
});

test("look-alikes page: the server looks so to the client of the form only", async () => {
  await using dashboard = await openControlled({
    clients: [{ client_id: "shop", redirect_uris: ["https://app.test/cb"] }],
  });
  const page = await press(dashboard, "/misbehaviours/look_alikes", {
    action: "switch_on github",
    client: "shop",
  });
  assertStringIncludes(textOf(byId(page, "on")), "shop");
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
