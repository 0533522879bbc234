/** Planted session cookies are ignored, scripts cannot read cookies, and consent shows who asks for what. */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import { grants } from "../../src/server/oauth/contracts/grant.ts";
import { byId, readHtml, textOf } from "../server/pages/read_html.ts";
import { test } from "../runner.ts";
import { createBrowser, createWorld, inWorld, navigationHeaders, redirectUri } from "../world.ts";
import { countingStore, valuesOf } from "./counting_store.ts";
import { assertPageHeaders } from "./our_page.ts";
import { cookieHeader, cookieNamed, signIn } from "./signed_in.ts";
import { addresses, requestTo } from "./site.ts";

test("session: sign-in replaces a planted session cookie with a new session", async () => {
  // The server asks each time, even if consent is remembered.
  const prompt = "consent";
  const store = countingStore();
  await using world = createWorld({ store, login: "picker" });
  const { browser: other } = await signIn(world, "bob");
  const name = cookieNamed(other, "session");
  const planted = `${"A".repeat(22)}.${"B".repeat(43)}`;
  const [id] = other.cookies.get(name)!.split(".");
  for (const value of [planted, `${id}.${"B".repeat(43)}`, `${id}.`, `${id}`, "x", '"', ""]) {
    const browser = createBrowser(world);
    browser.cookies.set(name, value);
    const page = await browser.open(world.authorizeUrl({ prompt }));
    assert(page.html.includes('name="person"'), "no sign-in page");
    const consent = await browser.submit(page, { person: "alice" });
    const given = browser.cookies.get(name)!;
    assertNotEquals(given, value);
    assertNotEquals(given.split(".")[0], value.split(".")[0]);
    assertEquals((await browser.submit(consent, { decision: "approve" })).status, 303);
    browser.cookies.set(name, value);
    assert(
      (await browser.open(world.authorizeUrl({ prompt }))).html.includes('name="person"'),
      "the planted session works",
    );
  }
});

test("session: each sign-in gives the session a new secret, and the old cookie is signed out", async () => {
  await using world = createWorld({ login: "picker" });
  const browser = createBrowser(world);
  const page = await browser.open(world.authorizeUrl());
  const seen: string[] = [];
  for (const person of ["alice", "alice", "bob", "alice"]) {
    await browser.submit(page, { person });
    seen.push(browser.cookies.get(cookieNamed(browser, "session"))!);
  }
  const halves = seen.map((cookie) => cookie.split("."));
  assertEquals(new Set(halves.map(([, secret]) => secret)).size, 4);
  // The session and its id stay the same, with every account that signed in. Only the secret is proof.
  assertEquals(new Set(halves.map(([id]) => id)).size, 1);
  for (const [index, cookie] of seen.entries()) {
    browser.cookies.set(cookieNamed(browser, "session"), cookie);
    const { html } = await browser.open(world.authorizeUrl());
    assertEquals(html.includes('name="account"'), index === 3, `${index}`);
    assertEquals(html.includes('name="person"'), index !== 3, `${index}`);
  }
});

test("session: a session ends with its lifetime, although the browser still has the cookie", async () => {
  await using world = createWorld({ login: "picker", lifetimes: { session: 600 } });
  const { browser, consent } = await signIn(world);
  world.clock.advance(599);
  assert((await browser.open(world.authorizeUrl())).html.includes('value="approve"'));
  world.clock.advance(1);
  assert((await browser.open(world.authorizeUrl())).html.includes('name="person"'));
  assert((await browser.submit(consent, { decision: "approve" })).html.includes('name="person"'));
});

test("pages: no page of any status may be framed, or controlled by the page that opened it", async () => {
  const seen = new Set<number>();
  const store = countingStore();
  await inWorld({ store, login: "picker" }, async (world) => {
    const requests = [
      ...addresses.filter(({ refusal, path }) => refusal === "page" && !path.startsWith("/static")).map((
        each,
      ) => requestTo(world, each, {}, navigationHeaders)),
      new Request(world.authorizeUrl()),
      new Request(world.authorizeUrl({ response_mode: "form_post", scope: '"' })),
      new Request(`${world.issuer}/authorized?code=x&state=y`),
      new Request(`${world.issuer}/nowhere`, { headers: navigationHeaders }),
      new Request(`${world.issuer}/`, { method: "DELETE" }),
      new Request(`${world.issuer}/?${"x".repeat(20_000)}`),
      new Request("https://evil.example/", { headers: navigationHeaders }),
      requestTo(world, { method: "POST", path: "/oauth2/authorize" }, { x: "x".repeat(70_000) }),
      requestTo(world, { method: "POST", path: "/oauth2/consent" }, {}, { "content-encoding": "gzip" }),
    ];
    for (const request of requests) {
      const { status, headers } = await world.fetch(request);
      if (headers.get("location") === null) assertPageHeaders(headers, `${request.method} ${request.url}`);
      seen.add(status);
    }
    await using fallen = createWorld({
      login: "picker",
      seams: { arrival: () => Promise.reject(new Error("fallen")) },
    });
    const { status, headers } = await fallen.get("/");
    assertPageHeaders(headers, "fault");
    seen.add(status);
  });
  for (const status of [200, 400, 403, 404, 405, 413, 414, 415, 421, 500]) {
    assert(seen.has(status), `no page with ${status}`);
  }
});

for (const issuer of ["https://as.test", "http://localhost:9000", "https://as.test/tenant"]) {
  test(`cookies of ${issuer}: opaque, for this host only, not readable by scripts`, async () => {
    await using world = createWorld({ issuer, login: "picker" });
    const browser = createBrowser(world);
    const first = await browser.open(world.authorizeUrl());
    const request = /name="request" value="([^"]*)"/.exec(first.html)![1]!;
    const action = /<form[^>]* action="([^"]*)"/.exec(first.html)![1]!;
    const second = await world.fetch(
      new Request(new URL(action, issuer), {
        method: "POST",
        body: new URLSearchParams({ request, person: "alice" }),
        headers: { cookie: cookieHeader(browser) },
      }),
    );
    const secure = issuer.startsWith("https:");
    const given = [["browser", first.headers.getSetCookie()], [
      "session",
      second.headers.getSetCookie(),
    ]] as const;
    for (const [purpose, cookies] of given) {
      assertEquals(cookies.length, 1, purpose);
      const [pair = "", ...flags] = cookies[0]!.split("; ");
      const [name = "", value = ""] = pair.split("=");
      assert(new RegExp(`^${secure ? "__Host-" : ""}postern_${purpose}_[A-Za-z0-9_-]{8}$`).test(name), name);
      assert(/^([A-Za-z0-9_-]{22}\.)?[A-Za-z0-9_-]{43}$/.test(value), value);
      assertEquals(flags.sort(), ["HttpOnly", "Path=/", "SameSite=Lax", ...(secure ? ["Secure"] : [])]);
    }
  });
}

test("cookies: servers on one host use different cookie names", async () => {
  const names = new Set<string>();
  for (const issuer of ["http://localhost:9000", "http://localhost:9001", "http://127.0.0.1:9000"]) {
    await using world = createWorld({ issuer, login: "picker" });
    for (const cookie of (await world.authorize()).headers.getSetCookie()) names.add(cookie.split("=")[0]!);
  }
  assertEquals(names.size, 3);
});

test("consent shows client, redirect URI, scopes, resources and person; deny gives no code (OAuth 2.1 §7.9)", async () => {
  const store = countingStore();
  const options = {
    store,
    login: "picker",
    clients: [{ client_id: "public", client_name: "Totally <b>Google</b>", redirect_uris: [redirectUri] }],
    scopes: { read: "Read all your letters", write: "Write letters" },
  };
  await using world = createWorld(options);
  const browser = createBrowser(world);
  const url = world.authorizeUrl({
    scope: "read write",
    resource: ["https://api.example/", "https://b.example/"],
  });
  const consent = await browser.submit(await browser.open(url), { person: "bob" });
  const document = readHtml(consent.html);
  const shown = (id: string) => textOf(byId(document, id));
  assert(textOf(document).includes("Totally <b>Google</b>"));
  assertEquals([shown("client-id"), shown("redirect-uri")], ["public", redirectUri]);
  assert(shown("scopes").includes("Read all your letters") && shown("scopes").includes("Write letters"));
  assert(
    shown("resources").includes("https://api.example/") &&
      shown("resources").includes("https://b.example/"),
  );
  assert(shown("person").includes("Bob Brown") && shown("person").includes("bob@example.com"));
  store.forget();
  const denied = await browser.submit(consent, { decision: "deny" });
  const answer = new URL(denied.leftFor!).searchParams;
  assertEquals([answer.get("error"), answer.get("code")], ["access_denied", null]);
  // The denial is the only write. It stops the same form from approving afterwards.
  assertEquals(store.writes.length, 1);
  assertEquals(await valuesOf(store, grants), [{ status: "denied", clientId: "public" }]);
});
