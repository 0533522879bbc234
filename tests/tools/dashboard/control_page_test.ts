/** The page of the control plane beside a dashboard: it has the frame, one session opens both, and its forms send calls. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { byId, everyElement, findAll, findById, readHtml, textOf } from "../../server/pages/read_html.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { key, load, openControlled, type OpenedDashboard, origin, submit } from "./open_dashboard.ts";
import { spa } from "./spa.ts";

const token = "correct-horse-battery";

type Opened = Awaited<ReturnType<typeof openControlled>>;

async function withServer(
  { token, issuer = origin }: { readonly token?: string; readonly issuer?: string },
  work: (opened: Opened) => Promise<void>,
): Promise<void> {
  const control = { open: false, ...(token === undefined ? {} : { token }) };
  const people = [{ username: "alice", password: "hunter2-hunter2" }, { username: "bob" }];
  await using opened = await openControlled({ issuer, people, clients: [spa] }, { control });
  await work(opened);
}

/** Sends the form of a call, and returns what the page says then. */
async function sendCall(
  dashboard: OpenedDashboard,
  call: string,
  fields: Readonly<Record<string, string>> = {},
): Promise<string> {
  const answer = await submit(dashboard, `/_postern?call=${call}`, fields);
  assertEquals(answer.status, 200);
  return textOf(byId(readHtml(await answer.text()), "answer"));
}

const it = testIn<[Opened]>((work) => withServer({}, work));

it("control page: beside a dashboard it has the frame", async ({ send }) => {
  const page = readHtml(await (await send("/_postern")).text());
  const link = findAll(page, "a").find((each) => each.attributes.get("aria-current") === "page")!;
  assertEquals(textOf(link), textOf(findAll(page, "h1")[0]!));
  assertMatch(await (await send("/_postern?call=login")).text(), /href="\/_postern" aria-current="page"/);
});

it("control page: it is in English for every browser", async ({ send }) => {
  const page = readHtml(
    await (await send("/_postern?call=login", { headers: { "accept-language": "de" } })).text(),
  );
  assertEquals(findAll(page, "html")[0]?.attributes.get("lang"), "en");
  assertEquals(textOf(findAll(page, "h1")[0]!), "POST /login");
});

it("control page: a call is sent from its form, as a program would send it, and errors name the place", async (dashboard) => {
  const { as } = dashboard;
  await sendCall(dashboard, "moveClock", { "body.freeze": "true" });
  assert(as.clock.frozen);
  const claims = '{ "roles": ["admin"] }';
  assertMatch(
    await sendCall(dashboard, "addPerson", { "body.username": "carol", "body.claims": claims }),
    /^201/,
  );
  assertEquals(as.people.get("carol")?.claims, { roles: ["admin"] });
  // A text that is JSON, too, stays a text.
  assertMatch(await sendCall(dashboard, "addPerson", { "body.username": "4711" }), /^201/);
  assertEquals(as.people.get("4711")?.username, "4711");
  const listed = await sendCall(dashboard, "listCatalogue", { "query.area": "jarm" });
  assertEquals(new Set(listed.match(/(?<="area": ")\w+/g)), new Set(["jarm"]));
  const refused = await sendCall(dashboard, "addPerson", { "body.username": "dave", "body.claims": "[]" });
  assertMatch(refused, /^400.*"place": "claims".*must be an object/s);
});

it("control page: answers have no secrets without the key, and no password with it", async (dashboard) => {
  const fields = { "body.username": "bob", "body.scope": "openid" };
  const hidden = await sendCall(dashboard, "login", fields);
  assertMatch(hidden, /"access_token": "\[redacted\]".*"sub": "bob"/s);
  assertFalse(/eyJ[\w-]+\./.test(hidden), hidden);
  assertMatch(hidden, /Show the secrets$/);
  for (const call of ["listPeople", "listRequests"]) {
    const listed = await sendCall(dashboard, call, { "query.raw": "true" });
    assertFalse(/hunter2|"raw"/.test(listed), listed);
  }
  await dashboard.enter(key);
  assertMatch(await sendCall(dashboard, "login", fields), /"access_token": "eyJ[\w-]+\.[\w-]+\.[\w-]+"/);
  const typed = await submit(dashboard, "/_postern?call=addPerson", {
    "body.username": "erin",
    "body.password": "hunter3",
  });
  assertFalse((await typed.text()).includes("hunter3"));
});

it("control page: no private key is shown, nothing in a member with a secret name, and no name that is a token", async (dashboard) => {
  const token = await dashboard.as.mint();
  const jwk = { kty: "oct", k: "opensesame" };
  const secrets = { password_hint: { question: "opensesame" }, passwords: ["opensesame"], jwk };
  const claims = { roles: ["admin"], ...secrets, [token]: 1, nested: { [token]: 1 } };
  dashboard.as.people.add({ username: "carol", claims });
  for (const offersKey of [true, false]) {
    const listed = await sendCall(dashboard, "listPeople");
    assertMatch(listed, /"admin"/);
    assertEquals(listed.endsWith("Show the secrets"), offersKey);
    assertFalse(listed.includes("opensesame") || listed.includes(token), listed);
    await dashboard.enter(key);
  }
});

it("control page: a sent form keeps what was typed, except for secrets", async (dashboard) => {
  const fields = { "body.username": "frank", "body.password": "hunter4-hunter4", "body.claims": "[]" };
  const answer = await submit(dashboard, "/_postern?call=addPerson", fields);
  const page = readHtml(await answer.text());
  const typed = ["input", "textarea", "select"].flatMap((name) => findAll(page, name)).map((field) =>
    [field.attributes.get("name"), field.attributes.get("value") ?? textOf(field)] as const
  );
  const kept = Object.fromEntries(typed.filter(([name]) => Object.hasOwn(fields, name ?? "")));
  assertEquals(kept, { ...fields, "body.password": "" });
  const required = typed.map(([name]) => name).filter((name) =>
    everyElement(page).some(({ attributes }) => attributes.get("name") === name && attributes.has("required"))
  );
  assertEquals(required, ["body.username"]);
  const login = await submit(dashboard, "/_postern?call=login", {
    "body.username": "zed",
    "body.nonce": "n-0S6_WzA2Mj",
  });
  assertEquals((await login.text()).match(/zed|n-0S6_WzA2Mj/g)?.includes("n-0S6_WzA2Mj"), false);
  const gate = await submit(dashboard, "/_postern?call=createGate", { "body.kind": "delay" });
  const chosen = findAll(readHtml(await gate.text()), "option").filter(({ attributes }) =>
    attributes.has("selected")
  );
  assertEquals(chosen.map(textOf), ["delay"]);
  const flags = findAll(readHtml(await load(dashboard, "/_postern?call=nextSignIn")), "option");
  assertEquals(flags.map(textOf), ["", "true", "false"]);
});

it("control page: a form of no call is refused", async (dashboard) => {
  const answer = await dashboard.post("/_postern?call=nothing", {});
  assertEquals([answer.status, (await answer.text()).includes("There is no such call")], [400, true]);
});

it("control page: an answer has at most 20,000 characters", async (dashboard) => {
  dashboard.as.people.add({
    username: "carol",
    claims: { roles: Array.from({ length: 5000 }, () => "admin") },
  });
  assertEquals((await sendCall(dashboard, "listPeople")).replace(/Show the secrets$/, "").length, 20_000);
});

it("control page: the page of a call lists the calls of its group", async (dashboard) => {
  const groupOf = async (call: string) => {
    const page = readHtml(await load(dashboard, `/_postern?call=${call}`));
    const lists = findAll(page, "nav").filter((nav) => nav.attributes.get("class") === "call-groups");
    const tables = lists.flatMap((nav) => findAll(nav, "table"));
    return [tables.length, tables.flatMap((table) => findAll(table, "code")).map(textOf)] as const;
  };
  const [count, calls] = await groupOf("moveClock");
  assertEquals([count, calls.includes("POST /clock"), calls.includes("GET /clock")], [1, true, true]);
  assertFalse(calls.includes("POST /people"));
  assertEquals((await groupOf("addPerson"))[1].includes("POST /people"), true);
});

it("control page: a deletion asks first, and only the second button does it", async (dashboard) => {
  dashboard.as.people.add({ username: "bob/?" });
  const fields = { "path.username": "bob/?" };
  for (const call of ["removePerson", "reset"]) {
    assertStringIncludes(await sendCall(dashboard, call, fields), "cannot be undone");
  }
  assert(dashboard.as.people.get("bob/?") !== undefined);
  assertMatch(await sendCall(dashboard, "removePerson", { ...fields, confirmed: "yes" }), /^204/);
  assertEquals(dashboard.as.people.get("bob/?"), undefined);
});

test("control page: without a script, its buttons carry the pass to the form of a call", async () => {
  await withServer({ token }, async (dashboard) => {
    const entered = await dashboard.post("/session", {
      purpose: "control",
      key: token,
      next: "/_postern?call=login",
    });
    const [, pass = ""] = /name="pass" value="([^"]+)"/.exec(await entered.text()) ?? [];
    const carried = { pass, without_script: "1", open_page: "1" };
    const page = readHtml(await (await dashboard.post("/_postern?call=login", carried)).text());
    assertEquals(findById(page, "send")?.attributes.get("action"), "/_postern?call=login");
    // The key of the inspector is a second pass, and the page carries both.
    const second = await dashboard.post("/session", { pass, without_script: "1", key });
    const given = new Set((await second.text()).match(/(?<=name="pass" value=")[^"]+/g));
    assertEquals([given.has(pass), given.size], [true, 2]);
    // A refusal carries it, too.
    const refused = await dashboard.post("/people/add", { pass, without_script: "1", username: "carol" });
    assertEquals(refused.status, 403);
    assertMatch(await refused.text(), new RegExp(`name="pass" value="${pass}"`));
    // The cookie alone sends nothing.
    const shown = ["/_postern", "/_postern?call=login"].map(async (path) =>
      readHtml(await load(dashboard, path))
    );
    for (const each of await Promise.all(shown)) {
      assertEquals([findById(each, "send"), findById(each, "read-only") !== undefined], [undefined, true]);
    }
  });
});

test("control page: the token alone shows no secret, on no page and in no file", async () => {
  await withServer({ token }, async (dashboard) => {
    await dashboard.enter(token, { purpose: "control" });
    const fields = { "body.username": "bob", "body.scope": "openid" };
    assertMatch(await sendCall(dashboard, "login", fields), /"access_token": "\[redacted\]"/);
    assertFalse(/eyJ[\w-]+\./.test(await load(dashboard, "/inspector")));
    assertEquals((await dashboard.send("/inspector/export?form=har")).status, 403);
  });
});

for (const issuer of [origin, `${origin}/realm`]) {
  test(`control page: the token is typed once, and opens this page but no call, at ${issuer}`, async () => {
    await withServer({ token, issuer }, async ({ send, forget }) => {
      const locked = await send("/_postern");
      const html = await locked.text();
      assertEquals(locked.status, 401);
      assertFalse(html.includes(token) || html.includes('class="frame"'));
      assertStringIncludes(html, "Type the token here, or send it with each request.");
      const [give, home] = ["give-token", "home"].map((id) => byId(readHtml(html), id));
      assertEquals(textOf(give!), "Type the token");
      assertEquals(home!.attributes.get("href"), new URL(issuer).pathname.replace(/(?<=[^/])$/, "/"));
      const tokenUrl = give!.attributes.get("href")!;
      assertEquals((await send(tokenUrl)).status, 401);
      const { pathname, searchParams } = new URL(tokenUrl, origin);
      const body = new URLSearchParams({ ...Object.fromEntries(searchParams), key: token });
      const opened = await send(pathname, { method: "POST", body, headers: { origin } });
      assertEquals(byId(readHtml(await opened.text()), "go-on").attributes.get("formaction"), "/_postern");
      const cookie = opened.headers.get("set-cookie")!.split(";")[0]!;
      forget();
      const page = await send("/_postern", { headers: { cookie } });
      assertEquals(page.status, 200);
      assert(findById(readHtml(await page.text()), "rule") !== undefined);
      for (const [method, path] of [["GET", "/_postern/clock"], ["POST", "/_postern/reset"]] as const) {
        assertEquals((await send(path, { method, headers: { cookie } })).status, 401, path);
      }
      const foreign = { cookie, "sec-fetch-site": "same-site" };
      const refused = await send("/_postern", { headers: foreign });
      assertEquals([refused.status, findById(readHtml(await refused.text()), "give-token")], [
        403,
        undefined,
      ]);
    });
  });
}
