/** The authorization endpoint over HTTP: methods, parsing of parameters, and escaping. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import { formEncoded } from "../../vectors.ts";
import { callbackParams, inWorld } from "../../world.ts";
import { assertCode, assertRefusedOnPage } from "./refusals.ts";

const it = testWith();

it("authorize: POST with another content type is refused on a page (OpenID Connect Core §3.1.2.1)", async ({ world }) => {
  const response = await world.post("/oauth2/authorize", "{}", { "content-type": "application/json" });
  await assertRefusedOnPage(world, response, { error: "invalid_request", reason: "not_a_form" });
});

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

test("authorize: a form that is too long to be posted again by a page is refused (OAuth 2.1 §1.7.1)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const form = `${world.authorizeUrl().split("?")[1]!}&unknown=${"x".repeat(16_000)}`;
    assertEquals((await world.post("/oauth2/authorize", form)).status, 413);
    assertEquals(world.lastRefusal()?.reason, "request_too_long");
  }));
