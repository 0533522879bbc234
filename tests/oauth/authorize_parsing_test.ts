/** The authorization endpoint over HTTP: methods, parsing of parameters, and escaping. */

import { assert, assertEquals, assertMatch, assertNotMatch, assertStringIncludes } from "@std/assert";
import { test } from "../runner.ts";
import { testWith } from "./test_in_world.ts";
import { formEncoded, hardState } from "../vectors.ts";
import { callbackParams, createBrowser, inWorld, redirectUri } from "../world.ts";
import { assertCode, assertNoCors, assertRefusedOnPage } from "./refusals.ts";
import { asName } from "../security/hostile_text.ts";

const it = testWith();

it("authorize: POST reads parameters from the form only (OpenID Connect Core §3.1.2.1)", async ({ world }) => {
  const [address, form = ""] = world.authorizeUrl().split("?");
  const response = await world.post(`${address}?scope=write`, form);
  await assertRefusedOnPage(world, response, { error: "invalid_request", reason: "query_beside_form" });
  assertMatch(world.lastRefusal()?.expected ?? "", /^a GET with a query, .* POST \/_postern\/next_sign_in /);
});

it("authorize: POST with another content type is refused on a page (OpenID Connect Core §3.1.2.1)", async ({ world }) => {
  const response = await world.post("/oauth2/authorize", "{}", { "content-type": "application/json" });
  await assertRefusedOnPage(world, response, { error: "invalid_request", reason: "not_a_form" });
});

for (const method of ["PUT", "PATCH", "DELETE", "OPTIONS"]) {
  it(`authorize: ${method} gets the allowed methods and no CORS headers (RFC 9110 §15.5.6)`, async ({ world }) => {
    const headers = {
      origin: "https://app.example",
      "access-control-request-method": "GET",
      "access-control-request-headers": "authorization",
    };
    const response = await world.fetch(new Request(world.authorizeUrl(), { method, headers }));
    const refused = { error: "invalid_request", reason: "method_not_allowed", status: 405 };
    await assertRefusedOnPage(world, response, refused);
    assertEquals(response.headers.get("allow"), "GET, POST, HEAD");
  });
}

test("authorize: scripts of other origins cannot read an answer (OAuth 2.1 §3.1)", () =>
  inWorld({ login: "picker" }, async (world) => {
    for (const changed of [{}, { client_id: "unknown" }, { scope: '"' }]) {
      const origin = { origin: "https://app.example" };
      assertNoCors(await world.get(world.authorizeUrl(changed), origin));
    }
  }));

it("authorize: unknown parameters have no effect and are not returned (OAuth 2.1 §3.1)", async ({ world }) => {
  const response = await world.authorize({ foo: ["bar", "baz"], code: "planted", iss: "https://evil.test" });
  const params = callbackParams(response);
  assertEquals([...params.keys()], ["code", "state", "iss"]);
  assertEquals(params.get("iss"), world.issuer);
  assert(params.get("code") !== "planted");
});

it("authorize: an empty parameter counts as absent (OAuth 2.1 §3.1)", async ({ world }) => {
  const response = await world.authorize({ state: "", scope: "", nonce: "", resource: "" });
  assertEquals([...callbackParams(response).keys()], ["code", "iss"]);
  assertEquals(world.journal.at(-1)?.facts.scope, ["read"]);
  assertEquals(world.journal.at(-1)?.facts.resource, []);
});

it("authorize: plus and %20 are a space, and UTF-8 is preserved (OAuth 2.1 appendix B)", async ({ world }) => {
  const url = world.authorizeUrl({ scope: undefined, state: undefined });
  for (const scope of ["read+write", "read%20write"]) {
    assertCode(await world.get(`${url}&scope=${scope}`));
    assertEquals(world.journal.at(-1)?.facts.scope, ["read", "write"]);
  }
  const response = await world.get(`${url}&state=${formEncoded.encoded}`);
  assertEquals(callbackParams(response).get("state"), formEncoded.text);
  assertStringIncludes(response.headers.get("location")!, `state=${formEncoded.encoded}`);
});

const malformed: readonly string[] = [
  "%",
  "%2",
  "%zz",
  "%ff",
  "%c3",
  "%c3%28",
  "%ed%a0%80",
  "%c0%af",
  "%00%ff",
];

for (const value of malformed) {
  it(`authorize: the malformed encoding ${value} is refused in every parameter (OAuth 2.1 appendix B)`, async ({ world }) => {
    for (const more of [`&state=${value}`, `&unknown=${value}`, `&${value}=1`, `&redirect_uri=${value}`]) {
      const response = await world.get(world.authorizeUrl() + more);
      const expected = { error: "invalid_request", reason: "malformed_encoding" };
      await assertRefusedOnPage(world, response, expected);
    }
  });
}

it("authorize: a request line of 8000 bytes works and is not truncated (OAuth 2.1 §1.7.1)", async ({ world }) => {
  const state = "s".repeat(8000 - world.authorizeUrl({ state: "" }).length);
  const response = await world.authorize({ state });
  assertCode(response);
  assertEquals(callbackParams(response).get("state"), state);
});

it("authorize: a URL beyond the limit is refused and not truncated (OAuth 2.1 §1.7.1)", async ({ world }) => {
  const response = await world.authorize({ state: "s".repeat(16_000) });
  const expected = { error: "invalid_request", reason: "url_too_long", status: 414 };
  await assertRefusedOnPage(world, response, expected);
});

it("token: a URL beyond the limit is refused with JSON that scripts may read (OAuth 2.1 §3.2.4)", async ({ world }) => {
  const response = await world.post(`/oauth2/token?x=${"x".repeat(16_000)}`, {});
  assertEquals([response.status, response.headers.get("access-control-allow-origin")], [414, "*"]);
  assertEquals((await response.json()).error, "invalid_request");
});

it("authorize: more than a hundred parameters are refused (OAuth 2.1 appendix B)", async ({ world }) => {
  const response = await world.get(world.authorizeUrl() + "&x=1".repeat(100));
  await assertRefusedOnPage(world, response, { error: "invalid_request", reason: "too_many_parameters" });
});

const hostile = `"><script>alert(1)</script><a href='//evil.test'>\r\nSet-Cookie: x=1`;

it("authorize: values of the request on a page are text (OAuth 2.1 §7.12)", async ({ world }) => {
  for (const changed of [{ client_id: hostile }, { redirect_uri: hostile }, { response_mode: hostile }]) {
    const response = await world.authorize(changed);
    assertEquals([response.status, response.headers.get("set-cookie")], [400, null]);
    const html = await response.text();
    assertNotMatch(html, /<script>|<a href='/);
    assertMatch(html, /&lt;script/);
  }
});

it("authorize: returned values of the request add no header and no markup (OAuth 2.1 §7.12)", async ({ world }) => {
  for (const response_mode of ["query", "fragment", "form_post"]) {
    const response = await world.authorize({ state: hostile, response_mode });
    const cookies = response.headers.getSetCookie().map((cookie) => cookie.replace(/=.*/, ""));
    assertEquals(cookies.length, 1);
    assertMatch(cookies[0]!, /^__Host-postern_session_[\w-]+$/);
    assertNotMatch(await response.text(), /<script>|<a href='/);
    const location = response.headers.get("location");
    if (location !== null) assertMatch(location, /^[\x21-\x7e]+$/);
  }
});

test("authorize: values of the request on the sign-in and consent pages are text (OAuth 2.1 §7.12)", () =>
  inWorld({
    login: "picker",
    clients: [{ client_id: "hostile", client_name: asName(hostile), redirect_uris: [redirectUri] }],
  }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl({
      client_id: "hostile",
      state: hostile,
      login_hint: hostile,
      scope: "<script>alert(1)</script>",
      resource: "https://api.example/?<script>",
    }));
    const consent = await browser.submit(page, { person: "alice" });
    for (const { status, html } of [page, consent]) {
      assertEquals(status, 200);
      assertNotMatch(html, /<script>|<a href='/);
      assertMatch(html, /&lt;script/);
    }
  }));

const states: readonly (readonly [name: string, state: string])[] = [
  ["reserved characters", hardState],
  ["a space alone", " "],
  ["beyond ASCII", "zustand-ä-€-🙂"],
  ["control characters", "\u0000\t\r\n\u007f"],
  ["an encoded parameter", "%26code%3Dx&code=x"],
];

for (const [name, state] of states) {
  for (const response_mode of ["query", "fragment"]) {
    it(`authorize: state with ${name} survives ${response_mode} unchanged (OAuth 2.1 appendix A.5, §4.1.2)`, async ({ world }) => {
      const success = callbackParams(await world.authorize({ state, response_mode }));
      assertEquals([...success.keys()], ["code", "state", "iss"]);
      assertEquals(success.get("state"), state);
      const refusal = callbackParams(await world.authorize({ state, response_mode, scope: '"' }));
      assertEquals([...refusal.keys()], ["error", "error_description", "state", "iss"]);
      assertEquals(refusal.get("state"), state);
    });
  }
}

test("authorize: HEAD answers like GET without a body (OAuth 2.1 §3.1)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const response = await world.fetch(new Request(world.authorizeUrl(), { method: "HEAD" }));
    assertEquals([response.status, await response.text()], [200, ""]);
    assertMatch(response.headers.get("content-type")!, /^text\/html/);
  }));

test("authorize: a form that is too long to be posted again by a page is refused (OAuth 2.1 §1.7.1)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const form = `${world.authorizeUrl().split("?")[1]!}&unknown=${"x".repeat(16_000)}`;
    assertEquals((await world.post("/oauth2/authorize", form)).status, 413);
    assertEquals(world.lastRefusal()?.reason, "request_too_long");
  }));
