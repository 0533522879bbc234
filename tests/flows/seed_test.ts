/** The specification that this server began with: its endpoints, on an unconfigured server. */

import { assert, assertEquals, assertMatch } from "@std/assert";
import { assertTokens } from "../oauth/refusals.ts";
import { test } from "../runner.ts";
import { basic, createBrowser, type Params, verifier } from "../world.ts";
import { headings, own, text, unconfigured } from "./sample_flow.ts";

const confidential = basic("demo-confidential", "demo-secret");
const demoRequest = (changed: Params = {}): Params => ({
  client_id: "demo",
  redirect_uri: own,
  scope: "openid profile read",
  ...changed,
});

test("seed §4.1: the sample link is a complete request for openid, profile and read", () =>
  unconfigured(async (world) => {
    const response = await world.get("/start?client_id=demo");
    const url = new URL(response.headers.get("location")!);
    assertEquals(url.origin + url.pathname, "http://localhost:9000/oauth2/authorize");
    const { state, code_challenge, nonce, ...params } = Object.fromEntries(url.searchParams);
    assertEquals(params, {
      response_type: "code",
      client_id: "demo",
      redirect_uri: own,
      scope: "openid profile read",
      code_challenge_method: "S256",
    });
    assertMatch(state!, /^[\w-]{22}$/);
    assertMatch(nonce!, /^[\w-]{22}$/);
    assertMatch(code_challenge!, /^[\w-]{43}$/);
  }));

const required = ["response_type", "client_id", "redirect_uri", "code_challenge"];

for (const name of required) {
  test(`seed §4.1: ${name} is required`, () =>
    unconfigured(async (world) => {
      const response = await world.authorize(demoRequest({ [name]: undefined }));
      assertEquals(response.headers.get("location")?.includes("code=") ?? false, false);
      assertEquals(world.lastRefusal()?.error, "invalid_request");
    }, "auto"));
}

test("seed §4.1: state is optional and is returned", () =>
  unconfigured(async (world) => {
    for (const state of ["xyz", undefined]) {
      const response = await world.authorize(demoRequest({ state }));
      assertEquals(new URL(response.headers.get("location")!).searchParams.get("state"), state ?? null);
    }
  }, "auto"));

test("seed §4.1, §7: an error goes to the redirect URI, and its page shows the description", () =>
  unconfigured(async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl(demoRequest({ response_type: "token" })));
    assertEquals(page.url.startsWith(`${own}?error=unsupported_response_type&error_description=`), true);
    assertEquals(headings(page), ["Authorization Failed"]);
    assertEquals(text(page, "error"), "unsupported_response_type");
    assertEquals(text(page, "error-description"), "This response_type is not supported");
  }));

const tokenRequests:
  readonly (readonly [kind: string, client: string, headers: HeadersInit, params: readonly string[]])[] = [
    ["a public client", "demo", {}, ["grant_type", "code", "redirect_uri", "client_id", "code_verifier"]],
    ["a confidential client", "demo-confidential", confidential, [
      "grant_type",
      "code",
      "redirect_uri",
      "code_verifier",
    ]],
  ];

for (const [kind, client_id, headers, names] of tokenRequests) {
  const valid: Params = { client_id: names.includes("client_id") ? client_id : undefined, redirect_uri: own };

  test(`seed §4.3, §5: ${kind} gets tokens with ${names.join(", ")}`, () =>
    unconfigured(async (world) => {
      const code = await world.code(demoRequest({ client_id }));
      await assertTokens(await world.redeem(code, valid, headers));
    }, "auto"));

  for (const name of names) {
    test(`seed §4.3: ${kind} must send ${name}, and may repeat a request without it`, () =>
      unconfigured(async (world) => {
        const code = await world.code(demoRequest({ client_id }));
        const refused = await world.redeem(code, { ...valid, [name]: undefined }, headers);
        const { error } = await refused.json();
        assertEquals([refused.status, /^invalid_(request|grant)$/.test(error)], [400, true]);
        await assertTokens(await world.redeem(code, valid, headers));
      }, "auto"));
  }

  test(`seed §5, §8: for ${kind} the verifier must match the challenge`, () =>
    unconfigured(async (world) => {
      const code = await world.code(demoRequest({ client_id }));
      const refused = await world.redeem(code, { ...valid, code_verifier: `${verifier.slice(1)}A` }, headers);
      assertEquals([refused.status, (await refused.json()).error], [400, "invalid_grant"]);
    }, "auto"));
}

test("seed §3, §8: a code works once, expires within ten minutes, and redirect_uri must be identical", () =>
  unconfigured(async (world) => {
    const redeem = async (code: string, redirect_uri = own) =>
      await (await world.redeem(code, { client_id: "demo", redirect_uri })).json();
    const [first, second] = [await world.code(demoRequest()), await world.code(demoRequest())];
    assertEquals((await redeem(first, `${own}/`)).error, "invalid_grant");
    assert("access_token" in await redeem(first));
    assertEquals((await redeem(first)).error, "invalid_grant");
    world.clock.advance(600);
    assertEquals((await redeem(second)).error, "invalid_grant");
    assertEquals(world.lastRefusal()?.reason, "code_expired");
  }, "auto"));
