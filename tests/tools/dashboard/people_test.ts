/** The page `/people`: who is shown, what with --control can be added, changed and ended, and that texts stay texts. */

import { assert, assertEquals, assertFalse, assertMatch, assertStringIncludes } from "@std/assert";
import { createBrowser as createKitBrowser } from "../../../src/kit/mock/client/browser.ts";
import { memoryStore } from "../../../src/server/store/memory.ts";
import { never } from "../../../src/server/store/store.ts";
import { readPeople } from "../../../src/server/setup/read_people.ts";
import { test } from "../../runner.ts";
import { testUsing } from "../../test_in.ts";
import {
  attribute,
  byId,
  everyElement,
  findAll,
  findById,
  readHtml,
  rowsOf,
  textOf,
} from "../../server/pages/read_html.ts";
import { asName, markup, probe, prototypeNames } from "../../security/hostile_text.ts";
import { formTokenOf, key, load, openControlled, openPlain, origin, submit } from "./open_dashboard.ts";
import { readRows } from "./read_rows.ts";
import { authorizePath, getCode, spaOptions } from "./spa.ts";

const people = [
  { username: "alice", claims: { name: "Alice Abbot", email: "alice@example.com", roles: ["admin"] } },
  { username: "bob", password: "correct horse battery" },
];

/** Tests of a dashboard with these people. */
const it = testUsing(() => openControlled({ people }));

const personPath = (username: string) => `/people/person?${new URLSearchParams({ username })}`;

/** The hidden fields of the first form with this address and a button that begins so. */
function hiddenFields(html: string, action: string, button = ""): Record<string, string> {
  const form = findAll(readHtml(html), "form").find((form) =>
    form.attributes.get("action") === action &&
    findAll(form, "button").some((each) => textOf(each).startsWith(button))
  );
  assert(form, `the page has no form for ${action}`);
  const hidden = findAll(form, "input").filter(({ attributes }) => attributes.get("type") === "hidden");
  return Object.fromEntries(
    hidden.map(({ attributes }) => [attributes.get("name")!, attributes.get("value") ?? ""]),
  );
}

test("people: a page of the list has fifty, and the next one has the others", async () => {
  const many = Array.from({ length: 51 }, (_, index) => ({ username: `person-${index}` }));
  const dashboard = openPlain({ people: many });
  const count = async (path: string) => new Set((await load(dashboard, path)).match(/person-\d+/g)).size;
  assertEquals([await count("/people"), await count("/people?page=2")], [50, 1]);
});

test("people: without --control the page shows all people and names the flag", async () => {
  const dashboard = openPlain({ people });
  const html = await load(dashboard, "/people");
  for (const text of ["Alice Abbot", "alice@example.com", "bob", "--control"]) {
    assertStringIncludes(html, text);
  }
  assertEquals(html.includes('id="add"'), false);
  const alice = await load(dashboard, personPath("alice"));
  assertStringIncludes(alice, "admin");
  assertEquals(
    findAll(readHtml(alice), "form").filter((form) => form.attributes.get("method") === "post"),
    [],
  );
  assert(!(await load(dashboard, personPath("bob"))).includes("correct horse battery"));
});

it("people: the newest token is that of the person's last token response", async ({ as, ...dashboard }) => {
  const linkOf = async (username: string) =>
    /href="(\/inspector\/[^"]*)">Newest token/.exec(await load(dashboard, personPath(username)))?.[1];
  await as.login("alice");
  assertEquals(await linkOf("bob"), undefined);
  await as.refresh(await as.login("alice", { scope: "offline_access" }));
  const newest = [...as.requests].at(-1)!;
  await as.login("bob");
  assertEquals(await linkOf("alice"), `/inspector/${newest.id}`);
});

test("people: the search finds the pages by what people want", async () => {
  await using dashboard = await openControlled();
  for (const [wanted, path] of [["signed in", "/people"], ["compare tokens", "/inspector"]] as const) {
    const html = await load(dashboard, `/search?${new URLSearchParams({ q: wanted })}`);
    // The menu has the pages, too.
    assertStringIncludes(html.slice(html.indexOf("<main")), `href="${path}"`);
  }
});

test("search: a word is found at its beginning, and of many misbehaviours five are shown", async () => {
  await using dashboard = await openControlled({ people: [{ username: "erin" }, { username: "a.b" }] });
  const find = async (q: string) => readHtml(await load(dashboard, `/search?${new URLSearchParams({ q })}`));
  const sectionsOf = async (q: string) => {
    const page = await find(q);
    return ["person", "misbehaviour"].filter((id) => findById(page, id) !== undefined);
  };
  assertEquals(await sectionsOf("erin"), ["person"]);
  assertEquals(await sectionsOf("rin"), []);
  assertEquals(await sectionsOf("b"), ["person", "misbehaviour"]);
  assertEquals(await sectionsOf("_wrong"), ["misbehaviour"]);
  const page = await find("nonce_wrong");
  assertEquals(findById(page, "more"), undefined);
  const many = await find("id_token");
  assertEquals(rowsOf(findById(many, "misbehaviour")!).length, 5);
  const more = findById(many, "more")!;
  assertMatch(textOf(more), /^\d+ more$/);
  assertEquals(attribute(more, "href"), "/misbehaviours?q=id_token");
});

it("people: a person who is added can sign in, and Back or Reload does not add again", async ({ as, ...dashboard }) => {
  const added = await submit(dashboard, "/people/add", {
    ...{ username: "carol", name: "Carol Clark", email: "carol@example.com", password: "open sesame" },
    claims: '{ "roles": ["reader"] }',
  });
  assertEquals(added.status, 303);
  const location = added.headers.get("location")!;
  assertEquals(location, `${personPath("carol")}&done=added`);
  const html = await load(dashboard, location);
  assertStringIncludes(html, "The person was added.");
  assert(!html.includes("open sesame"), html);
  assertEquals(as.people.get("carol")?.claims, {
    name: "Carol Clark",
    email: "carol@example.com",
    roles: ["reader"],
  });
  assertEquals((await as.login("carol")).token_type, "Bearer");
  const heads = findAll(readHtml(await load(dashboard, personPath("carol"))), "thead").map(textOf);
  assertEquals(heads.map((head) => head.endsWith("Action")), [true, true, true]);
});

const ofKit = { client_id: "app", redirect_uri: "https://app.test/callback" };
const signInPath = authorizePath(ofKit);

it("people: the form that the sign-in page led to leads back there", async (dashboard) => {
  const signIn = findById(readHtml(await load(dashboard, signInPath)), "add-person")!;
  const page = findAll(signIn, "a")[0]!.attributes.get("href")!;
  const fields = hiddenFields(await load(dashboard, page), "/people/add");
  const refused = await dashboard.post("/people/add", { ...fields, username: "alice" });
  assertEquals(hiddenFields(await refused.text(), "/people/add")["next"], signInPath);
  const added = await dashboard.post("/people/add", { ...fields, username: "carol" });
  assertEquals(added.headers.get("location"), signInPath);

  const changed = { ...fields, next: `${signInPath}&prompt=none`, username: "dan" };
  const elsewhere = await dashboard.post("/people/add", changed);
  assertEquals(elsewhere.headers.get("location"), `${personPath("dan")}&done=added`);
});

it("people: the form leads to no address that this server has not marked", async (dashboard) => {
  for (const [at, next] of ["https://evil.test/", "//evil.test", "/people", signInPath].entries()) {
    const username = `carol-${at}`;
    const path = `/people/add?${new URLSearchParams({ next, mark: "x".repeat(43) })}`;
    const fields = hiddenFields(await load(dashboard, path), "/people/add");
    assertEquals(Object.keys(fields), ["form_token"]);
    const added = await dashboard.post("/people/add", { ...fields, username, next, mark: "" });
    assertEquals(added.headers.get("location"), `${personPath(username)}&done=added`, next);
  }
});

it("people: an edit keeps the password, unless it is replaced or removed", async ({ as, ...dashboard }) => {
  const edit = (fields: Readonly<Record<string, string>>) =>
    submit(dashboard, personPath("bob"), { username: "bob", ...fields }, "/people/edit");
  assertEquals((await edit({ name: "Bob Baker", sub: "user-2" })).status, 303);
  assertEquals(as.people.get("bob"), {
    username: "bob",
    password: "correct horse battery",
    sub: "user-2",
    claims: { name: "Bob Baker" },
  });
  assertEquals((await edit({ password: " a new one " })).status, 303);
  assertEquals(as.people.get("bob")?.password, " a new one ");
  assertEquals((await edit({ remove_password: "yes", disabled: "yes" })).status, 303);
  assertEquals(as.people.get("bob"), { username: "bob", claims: {}, disabled: true });
  assertStringIncludes(await load(dashboard, personPath("bob")), "Disabled: cannot sign in");
  assertEquals((await edit({})).status, 303);
  assertEquals(as.people.get("bob"), { username: "bob", claims: {} });
});

it("people: an edit keeps a name and an email that are no text, and the JSON counts before the fields", async ({ as, ...dashboard }) => {
  const claims = { name: ["Carol"], email: { work: "carol@example.com" } };
  as.people.add({ username: "carol", claims });
  const form = findById(readHtml(await load(dashboard, `${personPath("carol")}&edit=1`)), "claims");
  assertEquals(form && JSON.parse(textOf(form)), claims);
  const edit = { username: "carol", name: "Carol", claims: '{ "name": "Carol Clark" }' };
  await submit(dashboard, personPath("carol"), edit, "/people/edit");
  assertEquals(as.people.get("carol")?.claims, { name: "Carol Clark" });
});

const mistakes: readonly (readonly [what: string, fields: Record<string, string>, problem: RegExp])[] = [
  ["a username that exists", { username: "alice" }, /username must be unique: two people are called alice/],
  ["no username", { username: "" }, /username must/],
  ["claims that are no JSON", { username: "carol", claims: "{" }, /must be a JSON object/],
  ["a damaged hash", { username: "carol", password: "scrypt:x" }, /password is not a hash/],
];

for (const [what, fields, problem] of mistakes) {
  it(`people: ${what} is refused with a reason, and the form keeps what was typed but no password`, async ({ as, ...dashboard }) => {
    const typed = { name: "Typed Name", password: "typed password", ...fields };
    const response = await submit(dashboard, "/people/add", typed);
    const html = await response.text();
    assertEquals(response.status, 400);
    assertMatch(textOf(findById(readHtml(html), "problem")!), problem);
    assertStringIncludes(html, "Typed Name");
    assert(!html.includes("typed password") && !html.includes("scrypt:x"), html);
    assertEquals(as.people.all.length, 2);
  });
}

it("people: a person who is removed is gone, with sign-ins and tokens", async ({ as, ...dashboard }) => {
  const tokens = await as.login("alice");
  const removed = await submit(dashboard, personPath("alice"), { username: "alice" }, "/people/remove");
  assertEquals(removed.headers.get("location"), "/people?done=removed");
  const { status } = await as.fetch(`${as.issuer}/userinfo`, {
    headers: { authorization: `Bearer ${tokens.access_token}` },
  });
  assertEquals(status, 401);
  assertEquals((await dashboard.send(personPath("alice"))).status, 404);
});

it("people: the inspector shows what was ended on the page, and names it as the cause of later refusals", async ({ as, ...dashboard }) => {
  const tokens = await as.login("alice");
  const page = await load(dashboard, personPath("alice"));
  await dashboard.post("/people/end", hiddenFields(page, "/people/end", "Revoke the"));
  await as.refresh(tokens).catch(() => {});
  await dashboard.post("/people/end", hiddenFields(page, "/people/end", "Sign out of"));
  assertEquals(findById(readHtml(await load(dashboard, personPath("alice"))), "sign-ins"), undefined);
  const rows = readRows(await load(dashboard, "/inspector"));
  const ends = rows.filter(({ target }) => target === "POST /people/end");
  assertEquals(ends.map(({ name, reason }) => [name, reason]), [
    ["Access ended on a page", "A person ended 1 sign-in on a page of the server"],
    ["Access ended on a page", "A person ended 1 grant on a page of the server"],
  ]);
  const [refused] = readRows(await load(dashboard, "/inspector?q=reason%3Arefresh_revoked"));
  assertStringIncludes(await load(dashboard, refused!.href), "The request that ended it");
  const entries = JSON.stringify(
    as.requests.filter(({ advice }) => advice !== undefined).map((each) => each.raw()),
  );
  assertFalse(entries.includes("form_token"));
});

it("people: forgetting a consent asks this person again, and for this client only", async ({ as, ...dashboard }) => {
  const { redirect_uris = [] } = as.clients.get("app-confidential")!;
  as.clients.add({ client_id: "second", client_secret: "the secret of the second", redirect_uris });
  const consents = [["alice", "app-confidential"], ["alice", "second"], ["bob", "app-confidential"]] as const;
  const asking = await Promise.all(consents.map(async ([username, client]) => {
    const browser = createKitBrowser();
    assert((await as.login(username, { client, browser, scope: "openid" })).access_token);
    const asked = { ...ofKit, client_id: client, scope: "openid", prompt: "none" };
    return async () =>
      (await as.authorize(as.issuer + authorizePath(asked), { browser })).searchParams.get("error");
  }));
  const ask = () => Promise.all(asking.map((each) => each()));
  assertEquals(await ask(), [null, null, null]);
  const page = await load(dashboard, personPath("alice"));
  const forms = findAll(readHtml(page), "form").filter((form) => textOf(form).includes("Forget"));
  assertEquals(forms.length, 2);
  await dashboard.post("/people/end", {
    ...hiddenFields(page, "/people/end", "Forget"),
    client: "app-confidential",
  });
  assertEquals(await ask(), ["consent_required", null, null]);
});

it("people: ending all access forgets the consents of the person, too, and says so", async ({ as, ...dashboard }) => {
  const client = "app-confidential";
  for (const username of ["alice", "bob"]) {
    await as.login(username, { client, browser: createKitBrowser(), scope: "openid" });
  }
  // The harmless action stands before it.
  for (const path of ["/people", personPath("alice"), "/search?q=alice"]) {
    const text = textOf(readHtml(await load(dashboard, path)));
    assertMatch(text, /Newest token[^]*End all access of alice/, path);
  }
  const page = await load(dashboard, "/people");
  const ended = await dashboard.post("/people/end", {
    ...hiddenFields(page, "/people/end"),
    username: "alice",
  });
  const after = await load(dashboard, ended.headers.get("location")!);
  assertStringIncludes(after, "Ended 1 grant, 1 sign-in, and 1 consent of alice.");
  assertFalse(after.includes("End all access"));
  const left = findAll(readHtml(await load(dashboard, "/clients/client?id=app-confidential")), "table")
    .find(({ attributes }) => attributes.get("id") === "consents")!;
  assertEquals(rowsOf(left).map((row) => textOf(row).startsWith("bob")), [true]);
});

test("people: the newest token of a person is one press from the front page, the list, the person and the search", async () => {
  await using dashboard = await openControlled({
    people: [{ username: "alice", sub: "user-1" }, { username: "bob" }, { username: "carol" }],
  });
  const { as } = dashboard;
  for (const username of ["alice", "alice"]) await as.login(username);
  const { refresh_token = "" } = await as.login("bob", { scope: "openid offline_access" });
  const ofBob = () => as.requests.filter(({ endpoint, person }) => endpoint === "token" && person === "bob");
  const lastOf = (username: string) =>
    as.requests.filter(({ endpoint, person, refusal }) =>
      endpoint === "token" && person === username && refusal === undefined
    ).at(-1)!.id;
  // A request of bob that is refused has no token.
  const form = { grant_type: "refresh_token", client_id: "app", refresh_token, scope: "openid more" };
  await (await as.fetch(`${as.issuer}/oauth2/token`, { method: "POST", body: new URLSearchParams(form) }))
    .text();
  assertEquals(ofBob().map(({ refusal }) => refusal?.error), [undefined, "invalid_scope"]);
  const pages = [
    "/",
    "/people",
    "/search?q=alice",
    "/search?q=bob",
    personPath("alice"),
    personPath("carol"),
  ];
  const found = await Promise.all(
    pages.map(async (path) =>
      findAll(readHtml(await load(dashboard, path)), "a").filter((each) => textOf(each).startsWith("Newest"))
        .map((each) => [textOf(each), attribute(each, "href")])
    ),
  );
  const alice = ["Newest token of alice", `/inspector/${lastOf("alice")}`];
  const bob = ["Newest token of bob", `/inspector/${lastOf("bob")}`];
  assertEquals(found, [[alice, bob], [alice, bob], [alice], [bob], [alice], []]);
});

it("people: forgetting a consent also forgets the one at the hosts of a provider", async ({ as, ...dashboard }) => {
  as.lookLike("okta");
  const browser = createKitBrowser();
  const url = "https://shop.okta.com/oauth2/default/v1/authorize?" +
    authorizePath({ ...ofKit, client_id: "app-confidential", scope: "openid" }).split("?")[1];
  assert((await as.authorize(url, { as: "alice", browser })).searchParams.has("code"));
  const silent = async () =>
    (await as.authorize(`${url}&prompt=none`, { browser })).searchParams.get("error");
  assertEquals(await silent(), null);
  await dashboard.post(
    "/people/end",
    hiddenFields(await load(dashboard, personPath("alice")), "/people/end", "Forget"),
  );
  assertEquals(await silent(), "consent_required");
});

test("people: sign-ins of callers without cookies are no browsers, and end with their first access token", async () => {
  const dashboard = await openControlled({ ...spaOptions, people });
  await using as = dashboard.as;
  as.clock.freeze("2030-01-01T12:00:00Z");
  await getCode(dashboard);
  await as.fetch(origin + authorizePath(), { redirect: "manual", headers: { accept: "*/*" } });
  const page = await load(dashboard, personPath("alice"));
  assertMatch(textOf(readHtml(page)), /2 sign-ins, 1 browser/);
  const ends = rowsOf(byId(readHtml(page), "sign-ins")).map((row) => textOf(findAll(row, "time")[1]!));
  assertEquals(ends.toSorted(), ["1 h 5 min", "8 h"]);
});

test("people: the export is a configuration, without passwords, in which nobody gets in more easily", async () => {
  const dashboard = openPlain({
    people: [...people, { username: "dan", sub: "user-4" }, {
      username: "eve",
      disabled: true,
    }],
  });
  assertEquals((await dashboard.send("/people/export")).status, 403);
  await dashboard.enter(key);
  const response = await dashboard.post("/people/export", {});
  assertMatch(response.headers.get("content-disposition") ?? "", /^attachment; filename="people\.json"$/);
  const exported = await response.json();
  assertEquals(exported.people, [
    people[0],
    { username: "bob", disabled: true },
    { username: "dan", sub: "user-4" },
    { username: "eve", disabled: true },
  ]);
  assertEquals(readPeople(exported.people, new Map()).all.length, 4);
});

const twoClients = {
  people: people.map((person) => ({ ...person, sub: `the subject of ${person.username}` })),
  clients: ["app", "shop"].map((id) => ({ client_id: id, redirect_uris: [`https://${id}.test/cb`] })),
};

test("people: all grants of a client, of a person or of both end in one step, and no others", async () => {
  const dashboard = await openControlled(twoClients);
  await using as = dashboard.as;
  const logins = {
    "alice app": await as.login("alice", { client: "app" }),
    "alice shop": await as.login("alice", { client: "shop" }),
    "bob app": await as.login("bob", { client: "app" }),
    "bob shop": await as.login("bob", { client: "shop" }),
  };
  const alive = async () => {
    const all = Object.entries(logins).map(async ([name, { access_token }]) => {
      const headers = { authorization: `Bearer ${access_token}` };
      return (await as.fetch(`${as.issuer}/userinfo`, { headers })).status === 200 ? [name] : [];
    });
    return (await Promise.all(all)).flat();
  };
  await as.revoke(logins["bob shop"]);
  const steps = [
    [personPath("alice"), "/people/end", { username: "alice", client: "app" }, [
      "alice shop",
      "bob app",
    ]],
    // The page decides whose they are, and not another field of the form.
    [personPath("alice"), "/people/end", { username: "alice", person: "bob" }, ["bob app"]],
    ["/clients/client?id=app", "/clients/end", { id: "app", client: "shop" }, []],
  ] as const;
  for (const [page, action, fields, left] of steps) {
    const ended = await submit(dashboard, page, { ...fields, grant: "all" }, action);
    assertMatch(ended.headers.get("location")!, /done=ended&revoked=1&signed_out=0&forgotten=0$/);
    assertEquals(await alive(), [...left]);
  }
  const byHand = as.requests.filter(({ path }) => path.endsWith("/end"));
  assertEquals(byHand.map(({ person }) => person), ["alice", "alice", undefined]);
  // The grant had ended before, by another request.
  await as.refresh(logins["bob shop"]).catch(() => {});
  const [refused] = readRows(await load(dashboard, "/inspector?q=reason%3Arefresh_revoked"));
  const revoked = as.requests.filter(({ endpoint }) => endpoint === "revoke").at(-1)!;
  assertMatch(
    await load(dashboard, refused!.href),
    new RegExp(`${revoked.id}[^>]*>The request that ended it`),
  );
});

test("people: ten grants of a person are open, and more are folded by client", async () => {
  const dashboard = await openControlled(twoClients);
  await using as = dashboard.as;
  const countOpen = async (more = "") => {
    const [, grants = ""] = /<div id="grants">(.*?)<\/section>/s.exec(
      await load(dashboard, personPath("alice") + more),
    ) ?? [];
    return grants.match(/<details open/g)?.length ?? 0;
  };
  for (let count = 0; count < 9; count++) await as.login("alice", { client: "app" });
  await as.login("alice", { client: "shop" });
  assertEquals(await countOpen(), 2);
  await as.login("alice", { client: "shop" });
  assertEquals(await countOpen(), 0);
  // A link to another part of a group leads into it.
  assertEquals(await countOpen("&grants%3Aapp=1"), 1);
});

test("people: an address says that a grant was revoked only if it was, and a name that is no text is not shown", async () => {
  const dashboard = await openControlled({
    ...twoClients,
    people: [{ username: "alice", claims: { name: 5 } }],
  });
  await using as = dashboard.as;
  const tokens = await as.login("alice", { client: "app" });
  const { flow } = as.requests.last!;
  const path = `/clients/client?id=app&done=ended&grant=${flow}`;
  const before = await load(dashboard, path);
  assertFalse(before.includes("was revoked"));
  assertMatch(before, />alice</);
  await as.revoke(tokens);
  assertStringIncludes(await load(dashboard, path), "The grant of app for alice was revoked");
});

test("people: of a filled store, a page reads a part, and says so", async () => {
  const grant = {
    status: "active",
    clientId: "app",
    clientEpoch: "",
    subject: "alice",
    scope: [],
    resource: [],
  };
  const filled = async (kind: string, record: object) => {
    const store = memoryStore();
    for (let number = 0; number < 10_100; number++) {
      await store.put({ name: kind }, `${kind}-${number}`, record, { expiresAt: never, now: 0 });
    }
    const page = readHtml(await load(openPlain({ people, store }), personPath("alice")));
    assertStringIncludes(textOf(findById(page, "incomplete")!), "not complete", kind);
    return page;
  };
  await filled("consent", { ...grant, leftOut: [], lines: [], redirectOrigins: [] });
  const page = await filled("grant", grant);
  assertEquals(rowsOf(findById(page, "grants")!).length, 10);
});

test("people: the page says whether changes are kept in a file or in memory", async () => {
  const savedPeople = { save() {}, prepare: (entry: object) => entry };
  for (const [started, kept] of [[{}, "in memory"], [{ savedPeople }, "the file of --people"]] as const) {
    await using dashboard = await openControlled({ people }, {}, started);
    assertStringIncludes(textOf(byId(readHtml(await load(dashboard, "/people")), "kept-in")), kept);
  }
});

test("people: a tenant that a request began does not end after a person has changed it", async () => {
  let time = 1_800_000_000;
  const dashboard = await openControlled({ people, paths: "navikt" }, {}, { now: () => time });
  await using as = dashboard.as;
  for (const name of ["changed", "seen"]) await dashboard.send(`/${name}/jwks`);
  await submit(dashboard, "/changed/people/add", { username: "carol" });
  await load(dashboard, "/seen/people");
  time += 3600;
  await dashboard.send("/later/jwks");
  assertEquals(as.tenants, ["changed", "later"]);
  assertEquals(as.tenant("changed").people.get("carol")?.username, "carol");
});

it("people: one tenant never shows the people and grants of another", async ({ as, ...dashboard }) => {
  const acme = as.tenant("acme", { people: [{ username: "zoe" }] });
  await acme.login("zoe");
  assert(!(await load(dashboard, "/people")).includes("zoe"));
  const own = await load(dashboard, "/acme/people");
  assertEquals([own.includes("zoe"), own.includes("alice")], [true, false]);
  assertStringIncludes(await load(dashboard, "/acme/people/person?username=zoe"), 'id="grants"');
  const token = formTokenOf(await load(dashboard, "/people/add"), "/people/add");
  const crossed = await dashboard.post("/acme/people/add", { form_token: token, username: "carol" });
  assertEquals([crossed.status, acme.people.all.length], [403, 1]);
});

test("people: markup and the names of prototypes are texts in every field", async () => {
  const texts = [...markup, ...prototypeNames];
  const dashboard = await openControlled({
    people: texts.map((text, at) => ({
      ...{ username: text, sub: `subject-${at}` },
      claims: { name: text, email: text, [text]: text, nested: { [text]: [text] } },
    })),
    clients: texts.map((text, at) => ({
      ...{ client_id: `app-${at}`, client_name: asName(text) },
      redirect_uris: ["https://app.test/callback"],
    })),
  });
  await using as = dashboard.as;
  for (const [at, text] of texts.entries()) {
    await as.login(text, { client: `app-${at}` });
    const failed = { username: text, name: text, email: text, sub: text, claims: text };
    const refused = await submit(dashboard, "/people/add", failed);
    requireTexts(await refused.text());
    requireTexts(await load(dashboard, personPath(text)));
    requireTexts(await load(dashboard, `/clients/client?id=app-${at}`));
    const query = new URLSearchParams({ q: text, page: text, done: text });
    requireTexts(await load(dashboard, `/people?${query}`));
  }
  for (const path of ["/people", "/clients"]) requireTexts(await load(dashboard, path));
});

/** Requires that no text of the test has become a tag, an attribute, a script or a link. */
function requireTexts(html: string): void {
  const elements = [...everyElement(readHtml(html))];
  assertEquals(elements.filter(({ name }) => name === probe || name === "svg"), []);
  const scripts = elements.filter(({ name }) => name === "script");
  for (const script of scripts) assertMatch(attribute(script, "src")!, /^\/static\/(filter|copy|keys)\.js$/);
  for (const { name, attributes } of elements) {
    assert(![...attributes.keys()].some((key) => key === probe || key.startsWith("on")), name);
    assert(!/^\s*javascript:/i.test(attributes.get("href") ?? attributes.get("src") ?? ""), html);
  }
}

test("people: who may see secrets gets the QR code and the secret of an authenticator app, and no other one does", async () => {
  const factors = [
    { username: "alice", secondFactor: "totp" as const },
    { username: "bob", secondFactor: { kind: "code" as const, always: true } },
    { username: "erin" },
  ];
  const dashboard = openPlain({ people: factors });
  const factorOf = async (username: string) => {
    const found = findById(readHtml(await load(dashboard, personPath(username))), "second-factor");
    return found && textOf(found);
  };
  const hasCode = async (username: string) =>
    findById(readHtml(await load(dashboard, personPath(username))), "authenticator") !== undefined;
  assertEquals(await hasCode("alice"), false);
  assertEquals([await factorOf("alice"), await factorOf("bob"), await factorOf("erin")], [
    "codes of an authenticator app",
    "a code that the server gives, at each sign-in",
    undefined,
  ]);
  await dashboard.enter(key);
  assertEquals([await hasCode("alice"), await hasCode("bob"), await hasCode("erin")], [true, false, false]);
  const page = readHtml(await load(dashboard, personPath("alice")));
  assertMatch(textOf(findById(page, "authenticator-secret")!), /^[A-Z2-7]{32}$/);
  const secret = textOf(findById(page, "authenticator-secret")!);
  assertMatch(
    textOf(findById(page, "authenticator-link")!),
    new RegExp(`^otpauth://totp/.*:alice\\?secret=${secret}&issuer=`),
  );
  const copied = findAll(page, "button").map((button) => attribute(button, "data-copy"));
  assert(copied.includes("authenticator-link"));
  const [picture] = findAll(findById(page, "authenticator")!, "svg");
  assertMatch(attribute(picture!, "viewbox") ?? attribute(picture!, "viewBox")!, /^0 0 (\d+) \1$/);
  assertMatch(attribute(findAll(picture!, "path")[1]!, "d")!, /^M4 4h7v1h-7z/);
});
