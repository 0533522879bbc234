/** Who may see the pages of the dashboard, and their secrets. */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { createServer } from "../../../src/mod.ts";
import { createMock } from "../../../src/kit/mod.ts";
import { sampleKey } from "../../world.ts";
import { test } from "../../runner.ts";
import { formTokenOf, key, load, openControlled, openPlain, origin, passesOf } from "./open_dashboard.ts";

const pages = ["/playground", "/playground/read", "/people", "/clients", "/inspector", "/search", "/session"];

test("dashboard: a server that is embedded has none of its pages, and no frame", async () => {
  const server = createServer({ issuer: origin, alg: "ES256", signingKeys: [sampleKey] });
  await using as = await createMock({ issuer: origin });
  for (const each of [server, as]) {
    for (const page of pages) {
      assertEquals((await each.fetch(new Request(origin + page))).status, 404, page);
    }
    const home = await (await each.fetch(new Request(`${origin}/`))).text();
    assertNotMatch(home, /inspector|class="frame"/);
  }
  await server.close();
});

test("dashboard: responses that name no icon have the icon of the pages, and its files are read only", async () => {
  const { send } = openPlain();
  const icon = await send("/favicon.ico");
  assertEquals([icon.status, icon.headers.get("content-type")], [200, "image/svg+xml"]);
  assertMatch(await icon.text(), /^<svg /);
  for (const path of ["/favicon.ico", "/static/dashboard.css"]) {
    const got = await send(path), head = await send(path, { method: "HEAD" });
    assertEquals([head.status, head.headers.get("etag"), await head.text()], [
      200,
      got.headers.get("etag"),
      "",
    ]);
    const refused = await send(path, { method: "POST" });
    assertEquals([refused.status, refused.headers.get("allow")], [405, "GET, HEAD"]);
  }
});

test("dashboard: each page answers HEAD as it answers GET, and DELETE with the methods that it takes (RFC 9110 §9.3.2)", async () => {
  await using dashboard = await openControlled();
  await dashboard.enter(key);
  const paths = [...pages, "/misbehaviours", "/misbehaviours/examine", "/_postern"];
  for (const path of paths) {
    const statusOf = async (method: string) => (await dashboard.send(path, { method })).status;
    assertEquals([path, await statusOf("HEAD")], [path, await statusOf("GET")]);
    const refused = await dashboard.send(path, { method: "DELETE" });
    assertEquals([path, refused.status], [path, 405]);
    assertMatch(refused.headers.get("allow")!, /^GET, HEAD/, path);
  }
});

test("dashboard: a page of another origin cannot read or send anything", async () => {
  const { send, post } = openPlain();
  const foreign = [
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "no-cors", "sec-fetch-dest": "image" },
    { "sec-fetch-site": "same-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
    { "sec-fetch-site": "cross-site", "sec-fetch-mode": "navigate", "sec-fetch-dest": "iframe" },
    { origin: "http://localhost:3000", "sec-fetch-site": "same-site" },
  ];
  for (const page of [...pages, "/misbehaviours/examine", "/misbehaviours/examine/card.json"]) {
    for (const headers of foreign) {
      // Without its usual Sec-Fetch-Mode, which is `navigate`.
      const response = await send(page, { headers: { "sec-fetch-mode": "cors", ...headers } });
      assertEquals(response.status, 403, `${page} ${JSON.stringify(headers)}`);
      assertEquals(response.headers.get("access-control-allow-origin"), null);
    }
  }
  const program = await send("/people", { headers: { accept: "*/*", ...foreign[1] } });
  assertEquals((await program.json()).error, "access_denied");
  const stolen = await post("/session", { key }, {
    headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" },
  });
  assertEquals([stolen.status, stolen.headers.get("set-cookie")], [403, null]);
});

test("dashboard: a link of another site opens a page, and the page cannot be framed", async () => {
  const { send } = openPlain();
  const response = await send("/inspector", { headers: { "sec-fetch-site": "cross-site" } });
  assertEquals(response.status, 200);
  assertEquals(response.headers.get("x-frame-options"), "DENY");
  assertMatch(
    response.headers.get("content-security-policy") ?? "",
    /frame-ancestors 'none'.*connect-src 'self'/,
  );
});

test("dashboard: only its own pages may make requests by script", async () => {
  const { send } = openPlain();
  const home = await send("/");
  assertNotMatch(home.headers.get("content-security-policy") ?? "", /connect-src 'self'/);
});

test("dashboard: another host name is misdirected (DNS rebinding)", async () => {
  const { send } = openPlain();
  for (const page of pages) {
    assertEquals((await send(page, { at: "http://rebound.evil.test:9000" })).status, 421, page);
  }
});

test("dashboard: a request of another machine, or through a proxy, is refused on loopback", async () => {
  const { send } = openPlain();
  for (const page of pages) {
    assertEquals((await send(page, { peer: "192.0.2.7" })).status, 403, page);
    assertEquals((await send(page, { headers: { "x-forwarded-for": "192.0.2.7" } })).status, 403, page);
  }
});

test("dashboard: where other machines reach the server, every page needs the key", async () => {
  const { send, enter } = openPlain({}, { isReached: true });
  for (const page of ["/inspector", "/search"]) {
    const locked = await send(page, { peer: "192.0.2.7" });
    assertEquals(locked.status, 401, page);
    assertStringIncludes(await locked.text(), 'id="key-form"');
  }
  const opened = await enter(key, { next: "/search", peer: "192.0.2.7" });
  assertMatch(await opened.text(), /data-address="\/search"/);
  assertEquals((await send("/search", { peer: "192.0.2.7" })).status, 200);
});

test("dashboard: where other machines reach a control plane without a token, the key lets them change", async () => {
  await using dashboard = await openControlled({}, { isReached: true, control: { open: true } });
  const peer = "192.0.2.7";
  const add = (form_token = "") => dashboard.post("/people/add", { form_token, username: "carol" }, { peer });
  assertEquals([(await add()).status, dashboard.as.people.get("carol")], [401, undefined]);
  await dashboard.enter(key, { peer });
  const page = await (await dashboard.send("/people/add", { peer })).text();
  assertEquals((await add(formTokenOf(page, "/people/add"))).status, 303);
  assertEquals(dashboard.as.people.get("carol")?.username, "carol");
});

test("dashboard: where other machines reach the server, the token opens the control page without the key", async () => {
  const control = { open: true, token: "a-token-of-sixteen-letters" };
  await using dashboard = await openControlled({}, { isReached: true, control });
  const peer = "192.0.2.7";
  await dashboard.enter(control.token, { purpose: "control", peer });
  assertStringIncludes(await (await dashboard.send("/_postern", { peer })).text(), 'id="rule"');
  assertEquals((await dashboard.send("/inspector", { peer })).status, 401);
});

test("dashboard: secrets and changes need the cookie of the browser and the pass of its tab, and neither is enough", async () => {
  const token = "a-token-of-sixteen-letters";
  for (const [purpose, secret] of [["inspector", key], ["control", token]] as const) {
    await using dashboard = await openControlled({}, { control: { open: false, token } });
    const given = passesOf(await (await dashboard.enter(secret, { purpose })).text()).join(" ");
    const form_token = formTokenOf(await load(dashboard, "/people/add"), "/people/add");
    const cookie = dashboard.cookies();
    const value = new RegExp(`postern_${purpose}_[^=]+=([^;]+)`).exec(cookie)![1]!;
    const rows = [["", ""], [cookie, ""], ["", given], [cookie, value], [cookie, given]] as const;
    for (const [at, [sent, pass]] of rows.entries()) {
      const headers = { cookie: sent, "postern-pass": pass };
      const file = await dashboard.send("/inspector/export?form=har", { headers });
      const change = await dashboard.post("/people/add", { form_token, username: "carol" }, { headers });
      const opens = at === 4 ? purpose : "nothing";
      const expected = [opens === "inspector" ? 200 : 403, opens === "control" ? 303 : 401];
      assertEquals([file.status, change.status], expected, `${purpose} ${at}`);
    }
  }
});

test("dashboard: a form adds its passes to those that a script sends", async () => {
  const token = "a-token-of-sixteen-letters";
  await using dashboard = await openControlled({}, { control: { open: false, token } });
  const [pass = ""] = passesOf(await (await dashboard.enter(token, { purpose: "control" })).text());
  const form_token = formTokenOf(await load(dashboard, "/people/add"), "/people/add");
  dashboard.openTab();
  await dashboard.enter(key);
  assertEquals((await dashboard.send("/inspector/export?form=har")).status, 200);
  assertEquals((await dashboard.post("/people/add", { form_token, username: "carol" })).status, 401);
  const { status } = await dashboard.post("/inspector/export?form=har", { pass });
  const added = await dashboard.post("/people/add", { form_token, username: "carol", pass });
  assertEquals([status, added.status], [200, 303]);
});

test("dashboard: a cookie with the name of the session's before it hides no session (RFC 6265 §5.4)", async () => {
  const { send, enter, cookies } = openPlain();
  await enter(key);
  const [, name = ""] = /(postern_inspector_[\w-]+)=/.exec(cookies())!;
  const html = await (await send("/inspector", { headers: { cookie: `${name}=other; ${cookies()}` } }))
    .text();
  assert(!html.includes('id="key-form"'));
});

test("dashboard: the key opens a session by a cookie that scripts and other sites cannot use", async () => {
  const { send, post, enter } = openPlain();
  assertStringIncludes(await (await send("/inspector")).text(), 'id="key-form"');
  const wrong = await post("/session", { key: `${key}x` });
  assertEquals([wrong.status, wrong.headers.get("set-cookie")], [401, null]);
  const right = await enter(key);
  assertMatch(await right.text(), /data-address="\/inspector"/);
  const cookie = right.headers.get("set-cookie") ?? "";
  assertMatch(cookie, /^postern_inspector_[\w-]{8}=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/);
  assert(!cookie.includes(key));
  assert(!(await (await send("/inspector")).text()).includes('id="key-form"'));
});

test("dashboard: a tab without a pass asks the other tabs for one, if the browser has opened a session", async () => {
  const token = "a-token-of-sixteen-letters";
  for (const [purpose, secret] of [["inspector", key], ["control", token]] as const) {
    await using dashboard = await openControlled({}, { control: { open: false, token } });
    const headers = { "postern-pass": "" };
    const findPass = async () =>
      /data-pass="(\w+)"/.exec(await (await dashboard.send("/inspector", { headers })).text())?.[1];
    const before = await findPass();
    await dashboard.enter(secret, { purpose });
    assertEquals([purpose, before, await findPass()], [purpose, undefined, "missing"]);
  }
});

test("dashboard: the session page leads to its own pages only", async () => {
  const { post } = openPlain();
  const foreign = [
    "https://evil.test/",
    "//evil.test/",
    "/\\evil.test",
    "/%0d%0aset-cookie:x",
    "javascript:1",
    "/in\nspector",
  ];
  for (const next of foreign) {
    const html = await (await post("/session", { key, next })).text();
    assertMatch(html, /data-address="\/(inspector"|%0d)/, next);
  }
  // A path that only begins like the path of the issuer is that of another application.
  const below = openPlain({ issuer: `${origin}/realm` });
  for (
    const [next, page] of [["/realms/x", "inspector"], ["/realm", "inspector"], ["/realm/people", "people"]]
  ) {
    const html = await (await below.post("/realm/session", { key, next: next! })).text();
    assertMatch(html, new RegExp(`data-address="/realm/${page}"`), next);
  }
});

test("dashboard: a tenant's session is not good at another tenant", async () => {
  const { send, post, enter, as } = await openControlled();
  as.tenant("acme");
  const opened = await enter(key, { base: "/acme" });
  assertMatch(await opened.text(), /data-address="\/acme\/inspector"/);
  assert(!(await (await send("/acme/inspector")).text()).includes('id="key-form"'));
  assertStringIncludes(await (await send("/inspector")).text(), 'id="key-form"');
  // Another tenant cannot use the value of the cookie under its own name either.
  const [, value = ""] = /=([\w-]+);/.exec(opened.headers.get("set-cookie") ?? "") ?? [];
  const own = /^(postern_inspector_[\w-]+)=/.exec(
    (await post("/session", { key })).headers.get("set-cookie") ?? "",
  );
  const forged = await send("/inspector", { headers: { cookie: `${own?.[1]}=${value}` } });
  assertStringIncludes(await forged.text(), 'id="key-form"');
  // A browser that has opened both has a pass for each.
  const passOf = async (base: string) => passesOf(await (await enter(key, { base })).text())[0]!;
  const passes = [await passOf(""), await passOf("/acme")];
  for (const [at, base] of ["", "/acme"].entries()) {
    const files = passes.map((pass) =>
      send(`${base}/inspector/export?form=har`, { headers: { "postern-pass": pass } })
    );
    const expected = at === 0 ? [200, 403] : [403, 200];
    assertEquals((await Promise.all(files)).map(({ status }) => status), expected);
  }
  await as.close();
});

test("dashboard: its files are served beside those of the server, and only with a dashboard", async () => {
  const { send } = openPlain();
  for (const [name, type] of [["dashboard.css", "text/css"], ["key.js", "text/javascript"]]) {
    const file = await send(`/static/${name}`);
    assertEquals([file.status, file.headers.get("content-type")], [200, `${type}; charset=utf-8`]);
    const again = await send(`/static/${name}`, {
      headers: { "if-none-match": file.headers.get("etag") ?? "" },
    });
    assertEquals(again.status, 304);
  }
  assertStringIncludes(await (await send("/")).text(), 'href="/static/dashboard.css"');
  await using as = await createMock({ issuer: origin });
  assertEquals((await as.fetch(`${origin}/static/dashboard.css`)).status, 404);
  assertNotMatch(await (await as.fetch(`${origin}/`)).text(), /dashboard\.css/);
});

test("dashboard: the front page shows requests and snippets on this machine only", async () => {
  const snippets = () => [
    { id: "env", name: ".env", text: "ISSUER=x" },
    { id: "lib", name: "A library", text: "CLIENT_ID=my-app" },
  ];
  for (const isReached of [false, true]) {
    const { send } = openPlain({}, { isReached, snippets });
    await send("/oauth2/authorize?client_id=nobody", { peer: "192.0.2.7" });
    const home = await (await send("/?settings=lib", { peer: "192.0.2.7" })).text();
    assertEquals(/href="\/inspector\/[\w-]+">This client is not known here/.test(home), !isReached);
    assertEquals(home.includes("CLIENT_ID=my-app"), !isReached);
  }
});

test("dashboard: with a token that is for this machine only, other machines see the pages and change nothing", async () => {
  const control = { token: "a-token-of-the-control-plane", open: false };
  await using opened = await openControlled({}, { isReached: true, control });
  await opened.enter(key);
  await opened.enter(control.token, { purpose: "control" });
  const page = await load(opened, "/people/add");
  const callers = [
    ["203.0.113.5", {}, 403],
    ["127.0.0.1", { "x-forwarded-for": "203.0.113.5" }, 403],
    ["127.0.0.1", {}, 303],
  ] as const;
  for (const [peer, headers, status] of callers) {
    assertEquals((await opened.send("/people", { peer, headers })).status, 200);
    const form = { form_token: formTokenOf(page, "/people/add"), username: "erin" };
    const answer = await opened.post("/people/add", form, { peer, headers });
    assertEquals(answer.status, status, `${peer} ${JSON.stringify(headers)}`);
    assertEquals(opened.as.people.get("erin") !== undefined, status === 303);
  }
});
