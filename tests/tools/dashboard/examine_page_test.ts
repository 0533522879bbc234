/** The page on which a person examines an application: its guard, its forms, and the card that it keeps. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { catalogue } from "../../../src/kit/faults/catalogue.ts";
import { levels } from "../../../src/kit/faults/misbehaviour.ts";
import { type MisbehaviourName, type Mock, readCard } from "../../../src/kit/mod.ts";
import { redirectUri, requestToken } from "../../kit/mock/authorize_url.ts";
import {
  byId,
  type Element,
  findAll,
  findById,
  readHtml,
  rowsOf,
  textOf,
} from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { challenge, challengeOf } from "../../world.ts";
import { openControlled, type OpenedDashboard, openPlain, origin } from "./open_dashboard.ts";

const wrongIss = "authorization_response.iss_wrong";
const form = "application/x-www-form-urlencoded";

const pagePath = "/misbehaviours/examine";

interface Sent {
  readonly method?: string;
  readonly path?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  readonly peer?: string;
  readonly at?: string;
}

/** A person at the page, and the application of that person. */
interface Person {
  readonly as: Mock;
  readonly dashboard: OpenedDashboard;
  readonly post: OpenedDashboard["post"];
  ask(sent?: Sent): Promise<Response>;
  /** Opens the page. */
  open(): Promise<Element>;
  /** Sends a form of the page as a browser does, and returns the page afterwards. */
  send(fields: Readonly<Record<string, string>>): Promise<Element>;
  /** Logs in to the application. */
  logIn(habits?: Habits): Promise<void>;
}

async function withPerson(work: (person: Person) => Promise<void>, token?: string): Promise<void> {
  const dashboard = await openControlled({ issuer: origin, alg: "ES256" }, {
    control: { open: false, ...(token === undefined ? {} : { token }) },
  });
  const { as } = dashboard;
  await using _closing = as;
  const ask = ({ path = "", ...sent }: Sent = {}) => dashboard.send(pagePath + path, { ...sent });

  async function open(): Promise<Element> {
    const response = await ask();
    assertEquals(response.status, 200);
    return readHtml(await response.text());
  }

  await work({
    ...{ as, ask, open, dashboard, post: dashboard.post },
    async send(fields) {
      const form = { ...fieldsOf(await open()), ...fields };
      const response = await dashboard.post(pagePath, form);
      assertEquals([response.status, response.headers.get("location")], [303, pagePath]);
      return await open();
    },
    logIn: (habits) => logIn(as, habits),
  });
}

/** The hidden fields of the forms of the page. */
function fieldsOf(page: Element): Record<string, string> {
  const hidden = findAll(page, "input").filter(({ attributes }) => attributes.get("type") === "hidden");
  return Object.fromEntries(
    hidden.map(({ attributes }) => [attributes.get("name")!, attributes.get("value")!]),
  );
}

async function authorize(as: Mock, params: Readonly<Record<string, string>> = {}): Promise<URLSearchParams> {
  const url = new URL(`${as.issuer}/oauth2/authorize`);
  url.search = new URLSearchParams({
    ...{ client_id: "app", redirect_uri: redirectUri, response_type: "code" },
    ...{ code_challenge: challenge, code_challenge_method: "S256", ...params },
  }).toString();
  return (await as.authorize(url)).searchParams;
}

/** What the application does. */
interface Habits {
  readonly checksIssuer?: boolean;
  /** Default: a new one in each login. */
  readonly verifier?: string;
  /** Default: none. */
  readonly state?: string;
}

async function logIn(
  as: Mock,
  { checksIssuer = false, verifier = crypto.randomUUID() + crypto.randomUUID(), ...params }: Habits = {},
): Promise<void> {
  const answer = await authorize(as, { ...params, code_challenge: challengeOf(verifier) });
  if (checksIssuer && answer.get("iss") !== as.issuer) return;
  const form = { code: answer.get("code")!, code_verifier: verifier };
  assertEquals((await requestToken(as, form)).status, 200);
}

/** Does the login without a fault, and has the misbehaviour offered. */
async function reachOffer({ send, logIn }: Person, name = wrongIss): Promise<Element> {
  await send({ action: "choose", level: "must", area: "authorization_response" });
  await logIn();
  await send({ action: "success" });
  return await send({ repeat: name });
}

/** The name of the misbehaviour that is offered or on. */
function nameOf(page: Element): string | undefined {
  return findAll(byId(page, "current"), "code").map(textOf)[0];
}

const isWrong = async (as: Mock) => (await authorize(as)).get("iss") !== as.issuer;

const it = testIn(withPerson);

it("examine page: only a form of this page changes something, and a GET never does", async (person) => {
  await reachOffer(person);
  const fields: Record<string, string> = { ...fieldsOf(await person.open()), action: "switch_on" };
  const post = async (body: Readonly<Record<string, string>>, type = form) => {
    const text = type === form ? new URLSearchParams(body).toString() : JSON.stringify(body);
    return (await person.ask({ method: "POST", body: text, headers: { "content-type": type } })).status;
  };
  await person.ask({ path: `?${new URLSearchParams(fields)}` });
  const { form_token: _token, ...withoutToken } = fields;
  assertEquals(await post(withoutToken), 403);
  assertEquals(await post({ ...fields, form_token: "guess" }), 403);
  assertEquals(await post({ ...fields, action: "explode" }), 400);
  assertEquals(await post({ ...fields, more: "x".repeat(200_000) }), 413);
  for (const type of ["application/json", "text/plain"]) assertEquals(await post(fields, type), 415);
  for (const method of ["PUT", "DELETE", "PATCH"]) {
    const response = await person.ask({ method });
    assertEquals([response.status, response.headers.get("allow")], [405, "GET, HEAD, POST"]);
  }
  const headers = { "content-type": form };
  assertEquals((await person.ask({ method: "POST", path: "/card", headers })).status, 405);
  assertEquals(await isWrong(person.as), false);
  assertEquals(await post(fields), 303);
  assertEquals(await isWrong(person.as), true);
});

it("examine page: a form of an older page does nothing, so a double click counts once", async (person) => {
  await reachOffer(person);
  const old = { ...fieldsOf(await person.open()), action: "skip" };
  const body = new URLSearchParams(old).toString();
  const headers = { "content-type": form };
  const answers = await Promise.all([1, 2].map(() => person.ask({ method: "POST", body, headers })));
  assertEquals(answers.map(({ status }) => status), [303, 303]);
  assertEquals(textOf(findAll(byId(await person.open(), "skipped"), "summary")[0]!), "1 skipped");
});

it("examine page: its policy lets forms and requests go to its own origin only, and it cannot be framed", async ({ ask }) => {
  const { headers } = await ask();
  const policy = headers.get("content-security-policy")!;
  for (const rule of ["form-action 'self'", "connect-src 'self'", "frame-ancestors 'none'"]) {
    assertStringIncludes(policy, rule);
  }
  assertEquals(headers.get("x-frame-options"), "DENY");
});

const token = "correct-horse-battery";

test("examine page: a person who types the token gets a cookie that is not good for the calls", async () => {
  await withPerson(async ({ ask, as, post, dashboard }) => {
    const response = await dashboard.enter(token, { purpose: "control", next: pagePath });
    assert(findById(readHtml(await response.text()), "choose") !== undefined);
    const [header = ""] = response.headers.getSetCookie();
    assertMatch(header, /; Path=\/; HttpOnly; SameSite=Strict$/);
    assertFalse(header.includes(token));
    for (const path of ["", "/card", "/card.json"]) assertEquals((await ask({ path })).status, 200, path);
    assert(findById(readHtml(await (await ask()).text()), "choose") !== undefined);
    // A page that has the cookie and the pass still needs the token of the form.
    assertEquals((await post(pagePath, { action: "restart" })).status, 403);
    // Another tab has the cookie only.
    dashboard.openTab();
    for (const path of ["/card", "/card.json"]) assertEquals((await ask({ path })).status, 401, path);
    assertEquals((await post(pagePath, { action: "restart" })).status, 401);
    assertEquals(await isWrong(as), false);
  }, token);
});

test("examine page: without --control there is no card", async () => {
  const { send } = openPlain();
  for (const card of ["card", "card.json"]) assertEquals((await send(`${pagePath}/${card}`)).status, 403);
});

it("examine page: a tenant has an examination of its own", async ({ as, ask, post, dashboard }) => {
  as.tenant("acme");
  const at = `/acme${pagePath}`;
  const form = fieldsOf(readHtml(await (await dashboard.send(at)).text()));
  const chosen = { ...form, action: "choose", level: "must", area: "authorization_response" };
  assertEquals((await post(at, chosen)).headers.get("location"), at);
  const page = readHtml(await (await dashboard.send(at)).text());
  assertEquals(textOf(byId(page, "stage")), "Sign in to your client once");
  assertStringIncludes(textOf(page), `${origin}/acme`);
  assertEquals(textOf(byId(readHtml(await (await ask()).text()), "stage")), "What to try");
});

it("examine page: it offers what is wanted, must first, and only what the login uses", async ({ send, logIn, ask }) => {
  const choose = async (...names: readonly string[]) => {
    const page = readHtml(await (await ask()).text());
    const fields = new URLSearchParams({ ...fieldsOf(page), action: "choose" });
    for (const name of names) {
      const isArea = name.includes("_") || ["metadata", "device"].includes(name);
      fields.append(isArea ? "area" : "level", name);
    }
    await ask({ method: "POST", body: fields.toString(), headers: { "content-type": form } });
  };
  await choose("tolerate", "must", "metadata", "authorization_response", "device");
  await logIn();
  const offered: string[] = [];
  let page = await send({ action: "success" });
  assertEquals(textOf(byId(page, "unused")).includes("Device logins"), true);
  assertMatch(textOf(byId(page, "progress")), /^0 of \d+$/);
  while (findById(page, "skip") !== undefined) {
    assertEquals(textOf(byId(page, "progress")).split(" ")[0], `${offered.length}`);
    const name = nameOf(page)! as MisbehaviourName;
    const isReadAtStart = name.startsWith("metadata.");
    offered.push(`${levels.indexOf(catalogue.get(name)!.level)} ${isReadAtStart ? "last" : "first"}`);
    page = await send({ action: "skip" });
  }
  // The metadata comes last at each level, because the application may have to start again.
  assertEquals(offered, offered.toSorted());
  assertEquals([...new Set(offered)].length, 4);
  const { length } = findAll(byId(page, "skipped"), "li");
  assertEquals(textOf(byId(page, "stage")), `All ${length} are done`);
});

it("examine page: a misbehaviour that was skipped, and is tried later, is no longer among the skipped ones", async (person) => {
  const { send, open, logIn } = person;
  await reachOffer(person);
  await send({ action: "skip" });
  assertEquals(findAll(byId(await open(), "skipped"), "li").length, 1);
  await send({ repeat: wrongIss });
  await send({ action: "switch_on" });
  await logIn();
  assertEquals(findById(await send({ action: "proven" }), "skipped"), undefined);
});

it("examine page: requests prove that the application was fooled, and the card has it in every form", async (person) => {
  const { send, open, logIn, ask, as, post, dashboard } = person;
  await reachOffer(person);
  let page = await send({ action: "switch_on" });
  assertMatch(textOf(byId(page, "wrong-answers")), /no wrong answer yet/);
  assertEquals(textOf(byId(page, "proof")), "");
  await logIn();
  page = await open();
  assertMatch(textOf(byId(page, "wrong-answers")), /1 wrong answer/);
  assertMatch(textOf(byId(page, "requests")), /POST \/oauth2\/token .* → 200/);
  assertMatch(textOf(byId(page, "proof")), /^ Fooled\. Afterwards the client sent POST token/);
  // The script shows them without a reload.
  for (const id of ["proof", "question", "live"]) assert(byId(page, id).attributes.has("data-live"), id);
  assert(findAll(page, "script").some(({ attributes }) => attributes.get("src") === "/static/live.js"));
  assertEquals(findById(page, "success"), undefined);
  page = await send({ action: "proven" });
  const [newest] = rowsOf(byId(page, "verdicts"));
  assertMatch(textOf(newest!), /^authorization_response\.iss_wrong Fooled\.Afterwards the client sent POST/);
  for (const { attributes } of findAll(newest!, "a")) {
    assertEquals((await dashboard.send(attributes.get("href")!)).status, 200);
  }
  assertStringIncludes(textOf(newest!), "authorize, token");
  assertMatch(textOf(byId(page, "summary")), /^1 of 1 failed\./);
  assertEquals(await isWrong(as), false);
  const types = [
    "text/html; charset=utf-8",
    "text/markdown; charset=utf-8",
    "application/xml",
    "application/json",
  ];
  const names = ["card.html", "card.md", "card.xml", "card.json"];
  const card = readHtml(await (await ask({ path: "/card" })).text());
  const lacks = "It sends no state. No check of iss was seen.";
  assertEquals([textOf(byId(page, "lacks")), textOf(byId(card, "lacks"))], [lacks, lacks]);
  assertMatch(textOf(byId(card, wrongIss)), /Fooled\.Afterwards the client sent POST token/);
  const forms = findAll(byId(card, "downloads"), "form").map(({ attributes }) => attributes.get("action"));
  assertEquals(forms, names.map((name) => `/misbehaviours/examine/${name}`));
  for (const [at, name] of names.entries()) {
    const response = await post(`${pagePath}/${name}`, {});
    assertEquals(response.headers.get("content-type"), types[at]!);
    assertEquals(response.headers.get("content-disposition"), `attachment; filename="${name}"`);
    const text = await response.text();
    assertStringIncludes(text, "authorization_response.iss_wrong");
    if (name !== "card.json") continue;
    const { phases, neverSends, rows } = readCard(text);
    assertEquals(neverSends, ["state"]);
    assertEquals([phases, rows.map(({ name, outcome }) => [name, outcome])], [["login"], [
      ["login.access_token_in_url", "unharmed"],
      ["login.refresh_token_kept", "not_reached"],
      ["login.verifier_repeated", "unharmed"],
      ["login.verifier_short", "unharmed"],
      ["login.verifier_shown", "unharmed"],
      [wrongIss, "fooled"],
    ]]);
  }
});
