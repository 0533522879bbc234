/** The pages that change something with --control: who may send their forms. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { attribute, byId, findAll, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { formTokenOf, load, openControlled, type OpenedDashboard, openPlain } from "./open_dashboard.ts";
import { spa } from "./spa.ts";

const misbehaviour = "/misbehaviours/authorization_response.iss_wrong";
const action = { action: "switch_on" };

/** A page, a form of it, and what a person sends with it. */
interface Changing {
  readonly page: string;
  /** Default: the page itself. */
  readonly action?: string;
  readonly fields: Readonly<Record<string, string>>;
}

const pages: readonly Changing[] = [
  // This page has a form while something is on.
  { page: "/misbehaviours", fields: { action: "restore" } },
  { page: "/misbehaviours/clock", fields: { step: "1h" } },
  { page: "/misbehaviours/gates", fields: { action: "close", endpoint: "jwks", kind: "hold" } },
  { page: "/misbehaviours/look_alikes", fields: { action: "switch_on github" } },
  { page: misbehaviour, fields: action },
  { page: "/misbehaviours/examine", fields: { action: "choose", level: "must" } },
  {
    page: "/_postern?call=removePerson",
    action: "/_postern?call=removePerson",
    fields: { "path.username": "alice", confirmed: "yes" },
  },
  { page: "/people/add", fields: { username: "carol" } },
  { page: "/people/person?username=alice", action: "/people/edit", fields: { username: "alice" } },
  { page: "/people/person?username=alice", action: "/people/remove", fields: { username: "alice" } },
];

const people = [{ username: "alice" }];

/** A dashboard on whose every page is a form. */
async function open(token?: string) {
  const dashboard = await openControlled({ people, clients: [spa] }, {
    control: { open: false, ...(token === undefined ? {} : { token }) },
  });
  dashboard.as.hold("userinfo");
  return dashboard;
}

type Sender = Parameters<OpenedDashboard["post"]>[2];

const strangers: readonly { readonly sender: Sender; readonly status: number }[] = [
  { sender: { headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" } }, status: 403 },
  { sender: { headers: { origin: "http://localhost:3000", "sec-fetch-site": "same-site" } }, status: 403 },
  { sender: { headers: { origin: "null" } }, status: 403 },
  { sender: { peer: "192.0.2.7" }, status: 403 },
  { sender: { headers: { "x-forwarded-for": "192.0.2.7" } }, status: 403 },
  { sender: { at: "http://rebound.evil.test:9000" }, status: 421 },
];

for (const { page, action = page, fields } of pages) {
  test(`changing pages: ${action} changes nothing for other sites, machines and names, and needs its own form`, async () => {
    const dashboard = await open();
    await using as = dashboard.as;
    const form_token = formTokenOf(await load(dashboard, page), action);
    assert(form_token !== "", "the page has the form");
    for (const { sender, status } of strangers) {
      const answer = await dashboard.post(action, { ...fields, form_token }, sender);
      assertEquals(answer.status, status, JSON.stringify(sender));
    }
    // The form of another page is not good here.
    const other = page.includes("call=")
      ? "/_postern?call=login"
      : page === misbehaviour
      ? "/misbehaviours/clock"
      : misbehaviour;
    const foreign = formTokenOf(await load(dashboard, other), other);
    for (const form_token of ["", "guess", foreign]) {
      assertEquals((await dashboard.post(action, { ...fields, form_token })).status, 403);
    }
    assertEquals([as.people.all.length, as.clients.all.length, as.clock.skewed], [1, 1, 0]);
    assertMatch(textOf(readHtml(await load(dashboard, "/misbehaviours"))), /A gate is closed: userinfo/);
  });

  test(`changing pages: ${action} needs the token of --control, if there is one`, async () => {
    const token = "correct-horse-battery";
    const dashboard = await open(token);
    await using _as = dashboard.as;
    const locked = await dashboard.send(page);
    const html = await locked.text();
    assert(!html.includes(token));
    const links = findAll(readHtml(html), "a").map((link) => attribute(link, "href") ?? "");
    assert(links.some((href) => href.startsWith("/session?purpose=control&next=")), links.join("\n"));
    assertEquals((await dashboard.post(action, { ...fields, form_token: "x" })).status, 401);
    await dashboard.enter(token, { purpose: "control", next: page });
    assert(formTokenOf(await load(dashboard, page), action) !== "");
  });

  // Without --control, it does not exist.
  if (action.startsWith("/_postern")) continue;

  test(`changing pages: ${action} changes nothing without --control, and the page names the flag`, async () => {
    const dashboard = openPlain({ people, clients: [spa] });
    const page = await (await dashboard.send(action.replace(/\/(edit|remove)$/, ""))).text();
    assertMatch(textOf(byId(readHtml(page), "with-control")), / start .*--control/);
    assertEquals(
      findAll(readHtml(page), "form").filter((form) => attribute(form, "method") === "post").length,
      0,
    );
    const answer = await dashboard.post(action, { ...fields, form_token: "x" });
    assertEquals(answer.status, 403);
    assertMatch(await answer.text(), /was started without --control/);
  });
}
