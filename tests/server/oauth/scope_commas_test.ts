/** Scopes with commas, which clients send in place of spaces (OAuth 2.1 §1.4.1). */

import { assertEquals } from "@std/assert";
import { beginAt, deviceClients } from "../features/device_login.ts";
import { byId, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_world.ts";
import {
  authorizationParams,
  basic,
  clients,
  createBrowser,
  inWorld,
  redirectUri,
  type World,
} from "../../world.ts";
import { assertRefusedByRedirect, assertTokens } from "./refusals.ts";

const it = testWith();

const scope = "openid,profile";
const sentence = "This is one scope with commas: scopes are separated by spaces";

function adviceOf(world: World): readonly (string | undefined)[] {
  const { advice } = world.journal.at(-1)!.facts;
  return [advice?.reason, advice?.description, advice?.received, advice?.expected];
}

const advised = ["scope_with_commas", sentence, scope, "openid profile"];
const nothing = [undefined, undefined, undefined, undefined];

it("scope: one with commas is one scope, and the authorization request gets advice (OAuth 2.1 §1.4.1)", async ({ world }) => {
  const code = await world.code({ scope });
  assertEquals(adviceOf(world), advised);
  const tokens = await assertTokens(await world.redeem(code));
  assertEquals([tokens["scope"], "id_token" in tokens], [scope, false]);
  // Only the request that asks for the scope gets the advice.
  assertEquals(adviceOf(world), nothing);
  await world.authorize({ scope: "openid profile" });
  assertEquals(adviceOf(world), nothing);
});

test("scope: each endpoint that a client asks for a scope gives the advice (OAuth 2.1 §1.4.1)", () =>
  inWorld({ clients: [...clients, ...deviceClients.slice(0, 1)] }, async (world) => {
    const secret = basic("basic", "basic secret: a+b%c");
    const own = { grant_type: "client_credentials", scope: "read,write" };
    assertEquals((await world.post("/oauth2/token", own, secret)).status, 200);
    assertEquals(adviceOf(world), ["scope_with_commas", sentence, "read,write", "read write"]);
    assertEquals((await beginAt(world, { scope })).status, 200);
    assertEquals(adviceOf(world), advised);
    assertEquals((await world.post("/oauth2/par", authorizationParams({ scope }))).status, 201);
    assertEquals(adviceOf(world), advised);
  }));

test("scope: a configured one may have commas, and gets no advice (OAuth 2.1 §1.4.1)", () =>
  inWorld({ scopes: { "a,b": "Both" }, login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl({ scope: "a,b" }));
    assertEquals(adviceOf(world), nothing);
    const { html } = await browser.submit(page, { person: "alice" });
    assertEquals(textOf(byId(readHtml(html), "scopes")), "Both a,b");
  }));

test("scope: the refusal of one with commas says so (OAuth 2.1 §1.4.1)", () => {
  return inWorld({ scopes: { profile: "Profile" } }, async (world) => {
    const received = `${scope}: one scope with commas, and scopes are separated by spaces`;
    const unknown = await world.authorize({ scope });
    assertRefusedByRedirect(world, unknown, { error: "invalid_scope", reason: "scope_unknown" });
    assertEquals(world.lastRefusal()?.received, received);
    const code = await world.code({ scope: "openid profile" });
    await world.redeem(code, { scope });
    assertEquals([world.lastRefusal()?.reason, world.lastRefusal()?.received], [
      "scope_not_granted",
      received,
    ]);
  });
});

test("scope: the refusal of one with commas that a client may not have says so (RFC 7591 §2)", () => {
  const narrow = { client_id: "narrow", redirect_uris: [redirectUri], scope: "openid profile" };
  return inWorld({ clients: [narrow] }, async (world) => {
    await world.authorize({ client_id: "narrow", scope });
    const received = `${scope}: one scope with commas, and scopes are separated by spaces`;
    assertEquals([world.lastRefusal()?.reason, world.lastRefusal()?.received], [
      "scope_not_for_client",
      received,
    ]);
  });
});

test("consent: a scope with commas is named as one scope (OAuth 2.1 §1.4.1)", () =>
  inWorld({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const consent = await browser.submit(await browser.open(world.authorizeUrl({ scope })), {
      person: "alice",
    });
    assertEquals(textOf(byId(readHtml(consent.html), "scopes")), `Use the scope ${scope} ${sentence}.`);
    // The forms of the pages repeat the request, and the advice stands at its first arrival alone.
    const reasons = world.journal.map(({ facts }) => facts.advice?.reason);
    assertEquals(reasons.filter((reason) => reason !== undefined), ["scope_with_commas"]);
  }));
