/** Scope: valid values, also with commas, the default, and the granted scope (OAuth 2.1 §1.4.1). */

import { assertEquals } from "@std/assert";
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
import { beginAt, deviceClients } from "../features/device_login.ts";
import { byId, readHtml, textOf } from "../pages/read_html.ts";

const it = testWith();

async function grantedScope(world: World, scope: string | undefined, client_id = "public"): Promise<unknown> {
  const code = await world.code({ scope, client_id });
  return (await assertTokens(await world.redeem(code, { client_id })))["scope"];
}

const malformed: readonly string[] = [
  'read"',
  "read\\",
  " read",
  "read ",
  "read  write",
  " ",
  "read\twrite",
  "read\nwrite",
  "read\u0000",
  "read\u001f",
  "read\u007f",
  "réad",
  "read\u00a0write",
];

for (const scope of malformed) {
  it(`scope: ${JSON.stringify(scope)} is malformed (OAuth 2.1 §1.4.1)`, async ({ world }) => {
    const expected = { error: "invalid_scope", reason: "scope_malformed" };
    assertRefusedByRedirect(world, await world.authorize({ scope }), expected);
  });
}

it("scope: a name may have every other printable ASCII character (OAuth 2.1 §1.4.1)", async ({ world }) => {
  const octets = Array.from({ length: 0x7f - 0x21 }, (_, index) => String.fromCharCode(0x21 + index));
  const name = octets.filter((octet) => octet !== '"' && octet !== "\\").join("");
  assertEquals(await grantedScope(world, name), name);
});

it("scope: order does not matter, case does, and a name counts once (OAuth 2.1 §1.4.1)", async ({ world }) => {
  assertEquals(await grantedScope(world, "write read write Read"), "write read Read");
});

it("scope: without configured scopes every well-formed one is granted (OAuth 2.1 §1.4.1)", async ({ world }) => {
  assertEquals(await grantedScope(world, "anything openid"), "anything openid");
});

it("scope: without configured scopes the default is read, and the answer says so (OAuth 2.1 §1.4.1)", async ({ world }) => {
  assertEquals(await grantedScope(world, undefined), "read");
  assertEquals(await grantedScope(world, ""), "read");
});

const configured = {
  scopes: { read: "Read", write: "Write", admin: "Everything" },
  clients: [...clients, { client_id: "narrow", redirect_uris: [redirectUri], scope: "read write" }],
};

test("scope: the default is every configured one, or the client's registered ones (OAuth 2.1 §1.4.1)", () =>
  inWorld(configured, async (world) => {
    assertEquals(await grantedScope(world, undefined), "read write admin");
    assertEquals(await grantedScope(world, undefined, "narrow"), "read write");
  }));

test("scope: the default is settable (OAuth 2.1 §1.4.1)", () =>
  inWorld({ ...configured, defaultScope: "write" }, async (world) => {
    assertEquals(await grantedScope(world, undefined), "write");
  }));

test("scope: unregistered and unknown scopes are refused (OAuth 2.1 §1.4.1)", () =>
  inWorld(configured, async (world) => {
    assertEquals(await grantedScope(world, "write", "narrow"), "write");
    const beyond = await world.authorize({ scope: "read admin", client_id: "narrow" });
    assertRefusedByRedirect(world, beyond, { error: "invalid_scope", reason: "scope_not_for_client" });
    const unknown = await world.authorize({ scope: "read READ" });
    const params = assertRefusedByRedirect(world, unknown, {
      error: "invalid_scope",
      reason: "scope_unknown",
    });
    assertEquals(params.get("error_description"), "The scope READ does not exist here");
    const known = world.lastRefusal()!.expected!.split(" ");
    assertEquals(["openid", "offline_access", "read", "READ"].map((name) => known.includes(name)), [
      true,
      true,
      true,
      false,
    ]);
  }));

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
  await world.authorize({ scope: ",openid,,profile," });
  assertEquals(adviceOf(world).at(-1), "openid profile");
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
