/** First use: an unknown id becomes a client when a person approves its request, with that redirect URI. */

import { assert, assertEquals, assertStringIncludes } from "@std/assert";
import { memoryStore, type ServerOptions } from "../../../src/mod.ts";
import {
  assertCannotCreate,
  assertCode,
  assertRefusedByRedirect,
  assertRefusedOnPage,
  assertTokens,
} from "../oauth/refusals.ts";
import { byId, findById, readHtml, textOf } from "../pages/read_html.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createBrowser, createWorld, type Params, withoutClients, type World } from "../../world.ts";

const loopback = "http://127.0.0.1:4000/cb";
const unknown = { error: "invalid_request", reason: "client_unknown" };
const unregistered = { error: "invalid_request", reason: "redirect_uri_unregistered" };

const usualGrants = "authorization_code, refresh_token, client_credentials";

const asked = (changed: Params = {}): Params => ({ client_id: "my-cli", redirect_uri: loopback, ...changed });

const redeemed = (world: World, code: string, changed: Params = {}) => world.redeem(code, asked(changed));

test("first use: an unknown id with a loopback redirect URI is a client once a person has approved it", async () => {
  const store = memoryStore();
  await withoutClients({ login: "picker", store }, async (world) => {
    const kept = async (kind: string) => {
      const ids: string[] = [];
      for await (const { id } of store.list!({ name: kind })) ids.push(id);
      return ids;
    };
    const browser = createBrowser(world);
    const signIn = await browser.open(world.authorizeUrl(asked()));
    const consent = await browser.submit(signIn, { person: "alice" });
    for (const { status, html } of [signIn, consent]) {
      assertEquals(status, 200);
      assert(findById(readHtml(html), "unverified") !== undefined);
      assertStringIncludes(html, "127.0.0.1:4000");
    }
    assertEquals([await kept("client"), await kept("grant")], [[], []]);
    const early = await redeemed(world, "made-up");
    assertEquals([early.status, world.lastRefusal()?.reason], [401, "client_unknown"]);
    const answer = await browser.submit(consent, { decision: "approve" });
    assertEquals(await kept("client"), ["my-cli"]);
    await assertTokens(await redeemed(world, new URL(answer.leftFor!).searchParams.get("code")!));
    // OAuth 2.1 §7.3.1: each request needs consent.
    const again = await browser.open(world.authorizeUrl(asked()));
    assert(findById(readHtml(again.html), "unverified") !== undefined);
  });
});

const it = testInWorld({}, withoutClients);

it("first use: the client has the usual grant types, and no others (RFC 7591 §2)", async (world) => {
  await assertTokens(await redeemed(world, await world.code(asked())));
  const grant_type = "urn:ietf:params:oauth:grant-type:device_code";
  const refused = await world.post("/oauth2/token", { grant_type, client_id: "my-cli", device_code: "x" });
  assertEquals([refused.status, world.lastRefusal()?.expected], [400, usualGrants]);
});

test("first use: a denial is sent to the redirect URI and stores no client", () =>
  withoutClients({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const denied = await browser.submit(await browser.open(world.authorizeUrl(asked())), {
      decision: "deny",
    });
    const response = new Response(null, { status: denied.status, headers: denied.headers });
    const expected = { error: "access_denied", reason: "user_denied", to: loopback };
    assertRefusedByRedirect(world, response, expected);
    assertEquals((await redeemed(world, "x")).status, 401);
  }));

/** The `expected` of a refusal. `isFit`: first use would accept the other redirect URI with another client_id. */
function describeFixed(uri: string, isFit: boolean): string {
  return `${uri} (the first use of this client_id fixed it). ` +
    (isFit ? "Use another client_id for this redirect_uri. " : "") +
    "A server with a memory store forgets this client at a restart";
}

it("first use: later requests may differ in the port only (OAuth 2.1 §8.4.2, §2.3.1)", async (world) => {
  await world.code(asked());
  const port = "http://127.0.0.1:50123/cb";
  const code = await world.code(asked({ redirect_uri: port }));
  await assertTokens(await redeemed(world, code, { redirect_uri: port }));
  const unsaid = await world.authorize(asked({ redirect_uri: undefined }));
  await assertRefusedOnPage(world, unsaid, { error: "invalid_request", reason: "redirect_uri_missing" });
  const others = ["http://127.0.0.1:4000/other", "http://localhost:4000/cb", "https://app.example/cb"];
  for (const other of others) {
    await assertRefusedOnPage(world, await world.authorize(asked({ redirect_uri: other })), unregistered);
    const isFit = other.startsWith("http:");
    assertEquals(world.lastRefusal()?.expected, describeFixed(loopback, isFit));
  }
});

async function remedyOnPage(world: World, changed: Params): Promise<ServerOptions> {
  const html = await assertRefusedOnPage(world, await world.authorize(asked(changed)), unregistered);
  return JSON.parse(textOf(byId(readHtml(html), "remedy")));
}

it("first use: the refusal of another redirect URI shows the configuration that allows it", async (world) => {
  await assertTokens(await redeemed(world, await world.code(asked())));
  const other = "http://127.0.0.1:4000/other";
  const remedy = await remedyOnPage(world, { redirect_uri: other });
  assertEquals(remedy, {
    firstUse: true,
    clients: [{
      client_id: "my-cli",
      redirect_uris: [loopback, other],
      token_endpoint_auth_method: "none",
    }],
  });
  await withoutClients(remedy, async (configured) => {
    for (const redirect_uri of [loopback, other]) {
      const code = await configured.code(asked({ redirect_uri }));
      await assertTokens(await redeemed(configured, code, { redirect_uri }));
    }
  });
});

const wrongRequests: readonly (readonly [name: string, changed: Params, error: string, reason: string])[] = [
  ["no PKCE", { code_challenge: undefined }, "invalid_request", "challenge_method_alone"],
  ["a malformed scope", { scope: '"' }, "invalid_scope", "scope_malformed"],
  ["a registration", { registration: "{}" }, "registration_not_supported", "parameter_unsupported"],
];

for (const [name, changed, error, reason] of wrongRequests) {
  it(`first use: a request with ${name} gets a page that shows the redirect URI (OAuth 2.1 §7.13.2)`, async (world) => {
    const response = await world.authorize(asked(changed));
    const html = await assertRefusedOnPage(world, response, { error, reason });
    assertEquals(textOf(byId(readHtml(html), "would-have-gone-to")), loopback);
  });

  it(`first use: with an approved client, the refusal of a request with ${name} is redirected (RFC 6749 §4.1.2.1)`, async (world) => {
    assertCode(await world.authorize(asked()));
    for (const to of [loopback, "http://127.0.0.1:50123/cb"]) {
      const response = await world.authorize(asked({ ...changed, redirect_uri: to }));
      assertRefusedByRedirect(world, response, { error, reason, to });
    }
  });

  it(`first use: the refusal of a silent request with ${name} is redirected on loopback (OpenID Connect Core §3.1.2.6)`, async (world) => {
    const response = await world.authorize(asked({ ...changed, prompt: "none" }));
    assertRefusedByRedirect(world, response, { error, reason, to: loopback });
  });
}

it("first use: a request with a request object is refused on a page, because an unknown client has no keys (RFC 9101 §6.2)", async (world) => {
  for (const changed of [{ request: "eyJ" }, { request: "eyJ", prompt: "none" }]) {
    await assertRefusedOnPage(world, await world.authorize(asked(changed)), unknown);
  }
});

test("first use: the refusal of prompt=none is redirected before and after the first approval (OpenID Connect Core §3.1.2.6)", () =>
  withoutClients({ login: "picker" }, async (world) => {
    const browser = createBrowser(world);
    const silent = async (error: string) => {
      const page = await browser.open(world.authorizeUrl(asked({ prompt: "none" })));
      const response = new Response(null, { status: page.status, headers: page.headers });
      assertRefusedByRedirect(world, response, { error, reason: "would_have_to_ask", to: loopback });
    };
    await silent("login_required");
    const signIn = await browser.open(world.authorizeUrl(asked()));
    const consent = await browser.submit(signIn, { person: "alice" });
    await silent("consent_required");
    await browser.submit(consent, { decision: "approve" });
    await silent("consent_required");
  }));

test("first use: the refusal of prompt=none beyond loopback is a page until a person has approved the client", () =>
  withoutClients({ issuer: "https://as.test" }, async (world) => {
    const changed = { redirect_uri: "https://app.example/cb", prompt: "none" };
    const expected = { error: "login_required", reason: "would_have_to_ask" };
    await assertRefusedOnPage(world, await world.authorize(asked(changed)), expected);
    await world.code(asked({ ...changed, prompt: undefined }));
    assertRefusedByRedirect(world, await world.authorize(asked(changed)), expected);
  }));

it("first use: the refusal of prompt=none with another value, or twice, is a page", async (world) => {
  const mixed = await world.authorize(asked({ prompt: "none login" }));
  await assertRefusedOnPage(world, mixed, { error: "invalid_request", reason: "prompt_none_with_others" });
  const twice = await world.authorize(asked({ prompt: ["none", "none"] }));
  await assertRefusedOnPage(world, twice, { error: "invalid_request", reason: "repeated_parameter" });
});

const issuers: readonly (readonly [issuer: string, redirectUri: string, isOffered: boolean])[] = [
  ["http://localhost:9000", "http://localhost:4000/cb", true],
  ["http://localhost:9000", "http://app.localhost:3000", true],
  ["http://localhost:9000", "http://127.0.0.1.evil.example/cb", false],
  ["http://localhost:9000", "https://localhost/", true],
  ["http://localhost:9000", "https://[::1]:4000/cb", true],
  ["http://localhost:9000", "https://app.localhost:3000/cb", true],
  ["http://localhost:9000", "https://127.0.0.1.evil.example/cb", false],
  ["http://localhost:9000", "https://localhost@evil.example/cb", false],
  ["http://localhost:9000", "https://app.example/cb", false],
  ["http://localhost:9000", "com.example.app:/cb", true],
  ["http://localhost:9000", "javascript:alert(1)", false],
  ["https://as.test", "https://app.test/cb", true],
  ["https://as.test", "https://app.example:8443/cb?x=1", true],
  ["https://as.example", "https://app.localhost/cb", true],
  ["https://as.invalid", "https://app.invalid/cb", true],
  ["https://as.localhost", "https://app.test", true],
  ["https://as.test", "http://app.test/cb", false],
  ["https://as.test", "https://app.com/cb", false],
  ["https://as.test", "https://app.com/.test/cb", false],
  ["https://as.test", "https://app.com?.test/", false],
  ["https://as.test", "https://app.test@evil.com/cb", false],
  ["https://as.test", "https://evil.com\\.test/cb", false],
  ["https://as.test", "https://app.test.evil.com/cb", false],
];

const unfit: readonly (readonly [redirect_uri: string, expected: string])[] = [
  ["http://127.0.0.1/cb#x", "must not have a fragment"],
  [
    "http://127.0.0.1:4000/cb?a=1&state=x",
    "must not have the parameter state in its query: the server's answer adds it",
  ],
];

for (const [redirect_uri, expected] of unfit) {
  it(`first use: ${redirect_uri} is refused with the reason on a page (OAuth 2.1 §2.3)`, async (world) => {
    await assertRefusedOnPage(world, await world.authorize(asked({ redirect_uri })), {
      error: "invalid_request",
      reason: "redirect_uri_unfit",
    });
    assertEquals(world.lastRefusal()?.expected, `the redirect_uri ${expected}`);
    assertEquals(world.lastRefusal()?.received, redirect_uri);
    // No client was stored, so the id is still free for another redirect URI.
    assertCode(await world.authorize(asked()));
  });
}

for (const [issuer, redirect_uri, isOffered] of issuers) {
  test(`first use: the issuer ${issuer} ${isOffered ? "accepts" : "refuses"} ${redirect_uri} (OAuth 2.1 §1.5)`, () =>
    withoutClients({ issuer }, async (world) => {
      const response = await world.authorize(asked({ redirect_uri }));
      if (isOffered) assertCode(response);
      else await assertRefusedOnPage(world, response, unknown);
    }));
}

test("first use: an issuer elsewhere, also one that looks like a test name, has none unless exposeDemo is true (OAuth 2.1 §1.5)", async () => {
  const issuer = "https://as.test.company.com";
  const own = { clients: [], people: [{ username: "alice" }] };
  for (const options of [{}, { firstUse: true }, { clients: own.clients }, { people: own.people }]) {
    const missing = "clients" in options ? "people" : "clients";
    await assertCannotCreate(
      () => createWorld({ issuer, ...options }, {}),
      `${missing} must be configured, because other machines may reach ${issuer}`,
    );
  }
  const uris = ["com.example.app:/cb", "http://app.localhost/cb"];
  for (const redirect_uri of [...uris, "https://app.test/cb"]) {
    await withoutClients({ issuer, ...own }, async (world) => {
      await assertRefusedOnPage(world, await world.authorize(asked({ redirect_uri })), unknown);
    });
    await withoutClients({ issuer, exposeDemo: true }, async (world) => {
      const response = await world.authorize(asked({ redirect_uri }));
      if (uris.includes(redirect_uri)) assertCode(response);
      else await assertRefusedOnPage(world, response, unknown);
    });
  }
});

it("first use: a configured client gets no other redirect URI", async (world) => {
  await assertRefusedOnPage(world, await world.authorize(asked({ client_id: "demo" })), unregistered);
  assertEquals(world.lastRefusal()?.remedy, undefined);
  const registered = "http://localhost:9000/authorized";
  const hint = "or this redirect_uri with a client_id that is not configured (first use)";
  assertEquals(world.lastRefusal()?.expected, `${registered}, ${hint}`);
  const elsewhere = asked({ client_id: "demo", redirect_uri: "https://app.company.com/cb" });
  await assertRefusedOnPage(world, await world.authorize(elsewhere), unregistered);
  assertEquals(world.lastRefusal()?.expected, registered);
});

const hostileIds = [
  "<script>alert(1)</script>",
  "__proto__",
  "app.example/client.json",
  "a b:c%d+e&f=g",
  "~".repeat(200),
];

for (const client_id of hostileIds) {
  test(`first use: the id ${client_id.slice(0, 40)} works and is shown as text`, () =>
    withoutClients({ login: "picker" }, async (world) => {
      const browser = createBrowser(world);
      const signIn = await browser.open(world.authorizeUrl(asked({ client_id })));
      const consent = await browser.submit(signIn, { person: "alice" });
      assertEquals(textOf(byId(readHtml(consent.html), "client-id")), client_id);
      assertEquals(/<script>|<img src=x/.test(signIn.html + consent.html), false);
      const answer = await browser.submit(consent, { decision: "approve" });
      const code = new URL(answer.leftFor!).searchParams.get("code")!;
      await assertTokens(await redeemed(world, code, { client_id }));
    }));
}
