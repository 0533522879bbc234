/** The dashboard of a server inside a program, and of the mock of a test. */

import {
  assert,
  assertEquals,
  assertMatch,
  assertNotMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { type MockDashboardTerms, openDashboard } from "../../../src/tools/dashboard/mod.ts";
import { createMock, type Mock } from "../../../src/kit/mod.ts";
import { createPlainServer, createServer, type PlainServer, type Server } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { authority } from "../../server/features/mtls/certificates.ts";
import { sampleKey } from "../../world.ts";
import { drive, formTokenOf, key, type OpenedDashboard, origin } from "./open_dashboard.ts";

const pages = ["/playground", "/people", "/clients", "/inspector", "/misbehaviours", "/search"];

function createSample(): PlainServer {
  return createPlainServer({ issuer: origin, alg: "ES256", signingKeys: [sampleKey] });
}

/** Opens the dashboard of a mock that answers at `origin`, in a browser that knows the key. */
async function openForMock(as: Mock, terms: MockDashboardTerms = {}): Promise<OpenedDashboard> {
  await openDashboard(as, { key, ...terms });
  const browser = drive(as.answer);
  await browser.enter(key);
  return browser;
}

test("embedded dashboard: the pages of a server need the key, which the address has", async () => {
  const server = createSample();
  const { url } = await openDashboard(server, { key });
  assertEquals(url, `${origin}/inspector#key=${key}`);
  const browser = drive(server.answer);
  for (const page of pages) assertEquals((await browser.send(page)).status, 401, page);
  await browser.enter(key);
  for (const page of pages) assertEquals((await browser.send(page)).status, 200, page);
  await server.close();
});

test("embedded dashboard: a new key is made at each opening, and the address is below the issuer", async () => {
  const keys: string[] = [];
  for (const [path, base] of [["/auth", "/auth"], ["/", ""]]) {
    const server = createServer({ issuer: origin + path, alg: "ES256", signingKeys: [sampleKey] });
    const { url } = await openDashboard(server);
    assertMatch(url, new RegExp(`^${origin}${base}/inspector#key=[\\w-]{22}$`));
    keys.push(url.slice(-22));
    await server.close();
  }
  assert(keys[0] !== keys[1]);
});

test("embedded dashboard: it needs no peer, and the key opens it through a proxy", async () => {
  const server = createSample();
  await openDashboard(server, { key });
  const headers = { "x-forwarded-for": "192.0.2.7" };
  assertEquals((await server.fetch(new Request(`${origin}/inspector`, { headers }))).status, 401);
  const body = new URLSearchParams({ key });
  const session = await server.fetch(new Request(`${origin}/session`, { method: "POST", body, headers }));
  const cookie = (session.headers.get("set-cookie") ?? "").split(";")[0]!;
  for (const method of ["GET", "HEAD"]) {
    const page = await server.fetch(
      new Request(`${origin}/inspector`, { method, headers: { ...headers, cookie } }),
    );
    assertEquals([page.status, (await page.text()) === ""], [200, method === "HEAD"]);
  }
  await server.close();
});

test("embedded dashboard: no page is at the port for certificates (RFC 8705 §5)", async () => {
  const options = { issuer: "https://localhost:9000", mtls: { ca: authority.cert, port: 9443 } };
  const server = createServer({ ...options, alg: "ES256", signingKeys: [sampleKey] });
  await using as = await createMock(options);
  await openDashboard(server, { key });
  await openDashboard(as, { key });
  for (const { fetch } of [server, as]) {
    const statusAt = async (host: string) => (await fetch(new Request(`https://${host}/inspector`))).status;
    assertEquals([await statusAt("localhost:9000"), await statusAt("localhost:9443")], [401, 421]);
  }
  await server.close();
});

test("embedded dashboard: it shows the requests since it was opened, with the journal of the options", async () => {
  const paths: string[] = [];
  const server = createPlainServer({
    ...{ issuer: origin, alg: "ES256", signingKeys: [sampleKey] },
    journal: ({ request }) => paths.push(request.path),
  });
  const browser = drive(server.answer);
  await browser.send("/oauth2/authorize?client_id=earlier");
  await openDashboard(server, { key, label: "Orders" });
  await browser.enter(key);
  await browser.send("/oauth2/authorize?client_id=later");
  const list = await (await browser.send("/inspector")).text();
  assertStringIncludes(list, "later");
  assertNotMatch(list, /earlier/);
  assertStringIncludes(list, "Orders");
  assertEquals(paths, ["/oauth2/authorize", "/oauth2/authorize"]);
  await server.close();
});

test("embedded dashboard: the front page leads to it, and shows no requests to a person without the key", async () => {
  const server = createSample();
  const { send } = drive(server.answer);
  assertNotMatch(await (await send("/")).text(), /href="\/inspector"/);
  const opened = await openDashboard(server, { key });
  await send("/oauth2/authorize?client_id=nobody");
  const home = await (await send("/")).text();
  assertStringIncludes(home, 'href="/inspector"');
  assertNotMatch(home, /nobody|_postern/);
  await opened.close();
  assertNotMatch(await (await send("/")).text(), /href="\/inspector"/);
  await server.close();
});

test("embedded dashboard: the pages of a server change nothing, and say that only a mock can be changed", async () => {
  const server = createSample();
  await openDashboard(server, { key });
  const browser = drive(server.answer);
  await browser.enter(key);
  assertStringIncludes(await (await browser.send("/people")).text(), "Only the mock of a test");
  const refused = await browser.post("/people/add", { username: "eve", form_token: "x" });
  assertEquals(refused.status, 403);
  assertStringIncludes(await refused.text(), "This server has no test kit");
  const change = { change: true } as MockDashboardTerms;
  await assertRejects(() => openDashboard(createSample(), change), TypeError, "change is for a mock");
  await server.close();
});

test("embedded dashboard: the pages of a mock are read only, and name the option", async () => {
  await using as = await createMock({ issuer: origin });
  const browser = await openForMock(as);
  for (const page of ["/people", "/misbehaviours", "/misbehaviours/clock"]) {
    const html = await (await browser.send(page)).text();
    assertStringIncludes(html, "open the dashboard with <code>change: true</code>", page);
  }
  const refused = await browser.post("/misbehaviours/clock", { action: "advance", form_token: "x" });
  assertEquals(refused.status, 403);
  assertStringIncludes(await refused.text(), "opened without change: true");
});

test("embedded dashboard: with change: true, the pages change the mock, by a form of their own", async () => {
  await using as = await createMock({ issuer: origin });
  const browser = await openForMock(as, { change: true });
  const path = "/people/add";
  const html = await (await browser.send(path)).text();
  assertNotMatch(html, /_postern/);
  const form = { username: "carol", claims: "{}", form_token: formTokenOf(html, path) };
  assertEquals((await browser.post(path, { ...form, form_token: "x" })).status, 403);
  const foreign = { headers: { origin: "https://evil.test", "sec-fetch-site": "cross-site" } };
  assertEquals((await browser.post(path, form, foreign)).status, 403);
  assertEquals(as.people.get("carol"), undefined);
  assertEquals((await browser.post(path, form)).status, 303);
  assertEquals(as.people.get("carol")?.username, "carol");
  const proxied = { headers: { "x-forwarded-for": "192.0.2.7" } };
  assertEquals((await browser.post(path, { ...form, username: "erin" }, proxied)).status, 303);
  browser.forget();
  assertEquals((await browser.post(path, { ...form, username: "dave" })).status, 401);
  assertEquals(as.people.get("dave"), undefined);
});

test("embedded dashboard: other host names and pages of other sites are refused", async () => {
  await using as = await createMock({ issuer: origin });
  const { send } = await openForMock(as, { change: true });
  for (const page of pages) {
    assertEquals((await send(page, { at: "http://rebound.evil.test:9000" })).status, 421, page);
    const headers = { "sec-fetch-site": "cross-site", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" };
    assertEquals((await send(page, { headers })).status, 403, page);
  }
});

test("embedded dashboard: a mock that does not listen keeps its issuer, and shows what happened before", async () => {
  await using as = await createMock();
  await as.login("bob");
  const { url } = await openDashboard(as, { key });
  const base = /^(http:\/\/localhost:\d+)\/inspector#key=/.exec(url)?.[1] ?? "";
  assertEquals(as.issuer, "https://as.test");
  const session = await fetch(`${base}/session`, {
    ...{ method: "POST", body: new URLSearchParams({ key }), redirect: "manual" },
    headers: { origin: base },
  });
  await session.body?.cancel();
  const cookie = (session.headers.get("set-cookie") ?? "").split(";")[0]!;
  const list = await (await fetch(`${base}/inspector`, { headers: { cookie } })).text();
  assertStringIncludes(list, "bob");
  assertStringIncludes(list, "https://as.test");
});

test("embedded dashboard: a mock that listens has its pages at the port", async () => {
  await using as = await createMock({ paths: "root" });
  const listening = await as.listen();
  const opened = await openDashboard(as, { key });
  assertEquals(opened.url, `${listening.origin}/inspector#key=${key}`);
  const locked = await fetch(`${as.issuer}/inspector`);
  assertEquals([locked.status, (await locked.text()).includes('id="key-form"')], [401, true]);
});

test("embedded dashboard: a mock can listen after its dashboard was opened", async () => {
  await using as = await createMock();
  const { url } = await openDashboard(as, { key });
  await as.listen();
  for (const base of [new URL(url).origin, as.issuer]) {
    const locked = await fetch(`${base}/inspector`);
    await locked.body?.cancel();
    assertEquals(locked.status, 401);
  }
});

async function openEvents({ send }: OpenedDashboard): Promise<ReadableStreamDefaultReader<Uint8Array>> {
  const response = await send("/inspector/events", {
    headers: {
      accept: "text/event-stream",
      ...{ "sec-fetch-site": "same-origin", "sec-fetch-mode": "cors", "sec-fetch-dest": "empty" },
    },
  });
  assertEquals(response.headers.get("content-type"), "text/event-stream");
  const reader = response.body!.getReader();
  await reader.read();
  return reader;
}

test("embedded dashboard: close() removes the pages, and ends the events of open ones", async () => {
  const server = createSample();
  await using as = await createMock({ issuer: origin });
  for (const each of [server, as]) {
    const opened = await openDashboard(each as Server, { key });
    const browser = drive(each.answer);
    await browser.enter(key);
    const events = await openEvents(browser);
    await opened.close();
    assertEquals((await events.read()).done, true);
    assertEquals((await browser.send("/inspector")).status, 404);
    assertEquals((await browser.send("/oauth2/jwks")).status, 200);
    // It can be opened again.
    await using again = await openDashboard(each as Server, { key });
    assert(again.url.endsWith(key));
    // What has ended ends nothing more.
    await opened.close();
    assertEquals((await browser.send("/inspector")).status, 401);
  }
  await server.close();
});

test("embedded dashboard: the end of the server ends the events, and waits for none", async () => {
  const server = createSample();
  const as = await createMock({ issuer: origin });
  for (const each of [server, as]) {
    await openDashboard(each as Server, { key });
    const browser = drive(each.answer);
    await browser.enter(key);
    const events = await openEvents(browser);
    await each.close();
    assertEquals((await events.read()).done, true);
  }
});

test("embedded dashboard: wrong arguments are refused, and a key is not repeated", async () => {
  const server = createSample();
  const refuse = async (given: unknown, terms: unknown, message: string) => {
    const error = await assertRejects(
      () => openDashboard(given as Mock, terms as MockDashboardTerms),
      TypeError,
    );
    assertStringIncludes(error.message, message);
    return error.message;
  };
  const short = await refuse(server, { key: "open-sesame" }, "key must be 16 to 200 letters");
  assertNotMatch(short, /sesame/);
  await refuse(server, { label: " " }, "label must be a text of 60 characters at most");
  await refuse(server, { control: true }, "control");
  await refuse(server, { change: "yes" }, "change must be");
  await refuse(undefined, {}, "expected the server that createServer returns");
  await refuse({ ...server }, {}, "expected the server that createServer returns");
  await using as = await createMock();
  await refuse(as.tenant("acme"), {}, "the mock that createMock returns");
  await server.close();
});

test("embedded dashboard: a server has one dashboard, and a closed server has none", async () => {
  const server = createSample();
  const as = await createMock({ issuer: origin });
  for (const each of [server, as]) {
    await openDashboard(each as Server);
    await assertRejects(() => openDashboard(each as Server), Error, "has a dashboard already");
    await each.close();
    await assertRejects(() => openDashboard(each as Server), Error, each === as ? "disposed of" : "closed");
  }
});
