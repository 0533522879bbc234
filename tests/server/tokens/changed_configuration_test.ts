/** A server with a changed configuration, and the grants and sessions in its store: scopes, resources, passwords. */

import { assert, assertEquals } from "@std/assert";
import { memoryStore, type ServerOptions } from "../../../src/mod.ts";
import { hashPassword } from "../../../src/ground/crypto/password.ts";
import { accounts, detailsOf, payment, types } from "../features/authorization_details.ts";
import { answer, begin, deviceGrantType, poll } from "../features/device_login.ts";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { inTurn } from "../../in_turn.ts";
import { secondEs256Thumbprint } from "../../vectors.ts";
import { basic, type Browser, createBrowser, createWorld, redirectUri, type World } from "../../world.ts";
import {
  asApi,
  asBasic,
  bearerClients,
  claimsOf,
  introspect,
  readTokens,
  refresh,
  signInAndApprove,
  tokensOf,
  userinfo,
} from "./bearer.ts";
import { exchange, gateway, secretOf, typeOf, web, webTokens } from "./exchange_world.ts";

const scopes = { read: "Read", write: "Write" };

function clientsWith(scope: string | undefined): ServerOptions {
  const [first, ...others] = bearerClients;
  return { clients: [{ ...first!, ...(scope === undefined ? {} : { scope }) }, ...others] };
}

const all = "openid profile read write";

const removals: readonly (readonly [where: string, before: ServerOptions, after: ServerOptions])[] = [
  ["its client's", clientsWith(all), clientsWith("openid profile read")],
  ["the server's", { scopes }, { scopes: { read: "Read" } }],
];

const it = testIn((work: (open: (options: ServerOptions) => Promise<World>) => Promise<void>) =>
  inTurn({ clients: bearerClients }, work)
);

for (const [where, before, after] of removals) {
  it(`changed configuration: tokens lose a scope that ${where} configuration no longer has`, async (open) => {
    const first = await tokensOf(await open(before), { scope: all });
    assertEquals(first.scope, all);

    const world = await open(after);
    const left = "openid profile read";
    const refused = await refresh(world, first.refresh_token, { scope: "read write" });
    assertEquals((await refused.json()).error, "invalid_scope");
    assertEquals(world.lastRefusal()?.expected, left);
    const next = await readTokens(await refresh(world, first.refresh_token));
    assertEquals([next.scope, claimsOf(next.access_token)["scope"]], [left, left]);

    // The grant keeps the scope, so tokens have it again when the configuration has.
    const restored = await open(before);
    assertEquals((await readTokens(await refresh(restored, next.refresh_token))).scope, all);
  });
}

/** What gives an access token later. Each gets it from a server, and returns the request of the token at another one. */
const credentials: Readonly<Record<string, (before: World) => Promise<(after: World) => Promise<Response>>>> =
  {
    async "a code"(before) {
      const code = await before.code({ client_id: "web", scope: "read write" });
      return (after) => after.redeem(code, { client_id: undefined }, secretOf("web"));
    },
    async "a device code"(before) {
      const codes = await begin(before, { client_id: undefined, scope: "read write" }, secretOf("web"));
      await answer(before, codes);
      return (after) => poll(after, codes, { client_id: undefined }, secretOf("web"));
    },
    async "a refresh token"(before) {
      const { refresh_token } = await webTokens(before, { scope: "read write" });
      return (after) => refresh(after, refresh_token, {}, secretOf("web"));
    },
    ...Object.fromEntries((["access_token", "id_token"] as const).map((kind) => [
      `an exchanged ${kind}`,
      async (before: World) => {
        const { [kind]: text } = await webTokens(before);
        return (after: World) => exchange(after, text, { subject_token_type: typeOf(kind) });
      },
    ])),
  };

for (const [credential, prepare] of Object.entries(credentials)) {
  it(`changed configuration: ${credential} gives no scope that its client has lost since (OAuth 2.1 §1.4.1)`, async (open) => {
    const grant_types = ["authorization_code", "refresh_token", deviceGrantType];
    const withScope = (scope: string) => ({ clients: [{ ...web, grant_types, scope }, gateway] });
    const ask = await prepare(await open(withScope("openid read write")));
    const { scope } = await readTokens(await ask(await open(withScope("openid read"))));
    assertEquals(scope.replace("openid ", ""), "read");
  });
}

it("changed configuration: new tokens of an old grant have no removed resource (RFC 8707 §2.2)", async (open) => {
  const [kept, lost] = ["https://kept.example/", "https://lost.example/"] as const;
  const before = await open({ resources: [kept, lost] });
  const both = await tokensOf(before, { resource: [kept, lost] });
  const one = await tokensOf(before, { resource: lost });
  const code = await before.code({ resource: lost });
  const world = await open({ resources: [kept] });
  const next = await readTokens(await refresh(world, both.refresh_token));
  assertEquals(claimsOf(next.access_token)["aud"], kept);
  // The token must not get the default audience instead.
  for (const refused of [await refresh(world, one.refresh_token), await world.redeem(code)]) {
    assertEquals([refused.status, (await refused.json()).error], [400, "invalid_target"]);
    assertEquals(world.lastRefusal()?.reason, "resource_unknown");
  }
  const named = await refresh(world, next.refresh_token, { resource: lost });
  assertEquals((await named.json()).error, "invalid_target");
});

const { payment_initiation: payments } = types;

function clientsFor(...authorization_details_types: readonly string[]): ServerOptions {
  const [first, ...others] = bearerClients;
  return { authorizationDetails: types, clients: [{ ...first!, authorization_details_types }, ...others] };
}

const removedTypes: typeof removals = [
  ["its client's", clientsFor(...Object.keys(types)), clientsFor("payment_initiation")],
  ["the server's", { authorizationDetails: types }, {
    authorizationDetails: { payment_initiation: payments! },
  }],
];

for (const [where, before, after] of removedTypes) {
  it(`changed configuration: new tokens have no object of a type that ${where} configuration no longer has (RFC 9396 §6, §10)`, async (open) => {
    const details = [payment("5.00"), accounts("list")];
    const authorization_details = JSON.stringify(details);
    const receive = async (response: Response) => {
      const { tokens, details: received } = await detailsOf(response);
      assertEquals(claimsOf(tokens.access_token)["authorization_details"], received);
      return { details: received, refreshToken: tokens.refresh_token };
    };
    const old = await open(before);
    const first = await receive(await old.redeem(await old.code({ authorization_details })));
    assertEquals(first.details, details);
    const code = await old.code({ authorization_details });

    const world = await open(after);
    const next = await receive(await refresh(world, first.refreshToken));
    assertEquals([next.details, (await receive(await world.redeem(code))).details], [
      [payment("5.00")],
      [payment("5.00")],
    ]);
    const asked = JSON.stringify([accounts("list")]);
    const refused = await refresh(world, next.refreshToken, { authorization_details: asked });
    assertEquals((await refused.json()).error, "invalid_authorization_details");

    // The grant keeps the objects, so tokens have them again when the configuration has their type.
    assertEquals((await receive(await refresh(await open(before), next.refreshToken))).details, details);
  });
}

it("changed configuration: introspection shows the remaining scope of access and refresh tokens", async (open) => {
  const withScope = (scope: string) => ({
    clients: [
      { client_id: "basic", client_secret: "basic-secret", redirect_uris: [redirectUri], scope },
      ...bearerClients.filter(({ client_id }) => client_id !== "basic"),
    ],
  });
  const terms = { client_id: "basic", scope: "read write", resource: "https://api.example/" };
  const first = await tokensOf(await open(withScope("read write")), terms, asBasic);
  const world = await open(withScope("read"));
  const scopesSeen = await Promise.all(
    ([[first.access_token, asBasic], [first.access_token, asApi], [first.refresh_token, asBasic]] as const)
      .map(async ([token, who]) => (await (await introspect(world, token, who)).json()).scope),
  );
  assertEquals(scopesSeen, ["read", "read", "read"]);
});

it("changed configuration: userinfo uses the remaining scope", async (open) => {
  const person = { people: [{ username: "alice", claims: { name: "Alice", email: "alice@example.com" } }] };
  const scope = "openid profile email";
  const { access_token } = await tokensOf(await open({ ...person, ...clientsWith(scope) }), { scope });
  const fewer = await userinfo(await open({ ...person, ...clientsWith("openid email") }), access_token);
  assertEquals(await fewer.json(), { sub: "alice", email: "alice@example.com" });
  const none = await userinfo(await open({ ...person, ...clientsWith("profile email") }), access_token);
  assertEquals([none.status, (await none.json()).error], [403, "insufficient_scope"]);
});

it("changed configuration: a grant without a remaining scope has ended", async (open) => {
  const before = await open(clientsWith("read write"));
  const first = await tokensOf(before, { scope: "write" });
  const code = await before.code({ scope: "write" });
  const world = await open(clientsWith("read"));
  assertEquals((await refresh(world, first.refresh_token)).status, 400);
  assertEquals(
    [world.lastRefusal()?.reason, world.lastRefusal()?.received],
    ["refresh_grant_ended", "scope_removed"],
  );
  assertEquals((await world.redeem(code)).status, 400);
  assertEquals(
    [world.lastRefusal()?.reason, world.lastRefusal()?.received],
    ["code_grant_ended", "scope_removed"],
  );
  assertEquals((await userinfo(world, first.access_token)).status, 401);
});

it("changed configuration: a grant that loses offline_access ends with its session", async (open) => {
  const offline = "openid offline_access";
  const common = { lifetimes: { session: 60 }, login: "picker" };
  const before = await open({ ...common, ...clientsWith(offline) });
  const { tokens: first } = await signInAndApprove(before, { scope: offline });
  const world = await open({ ...common, ...clientsWith("openid") });
  // Another server began the session, so it lasts up to 60 seconds longer here.
  world.clock.advance(119);
  assertEquals((await refresh(world, first.refresh_token)).status, 200);
  world.clock.advance(1);
  assertEquals((await refresh(world, first.refresh_token)).status, 400);
  assertEquals(world.lastRefusal()?.received, "signed_out");
});

it("changed configuration: a token for a client itself has the remaining scope", async (open) => {
  const withScope = (scope: string) => ({
    clients: [{ client_id: "self", client_secret: "self-secret", scope }],
  });
  const asSelf = basic("self", "self-secret");
  const world = await open(withScope("read write"));
  const { access_token } = await readTokens(
    await world.post("/oauth2/token", { grant_type: "client_credentials" }, asSelf),
  );
  const seen = async (scope: string) =>
    await (await introspect(await open(withScope(scope)), access_token, asSelf)).json();
  assertEquals((await seen("read")).scope, "read");
  assertEquals(await seen("other"), { active: false });
});

const carol = (password: string | undefined) => ({
  login: "picker",
  people: [{ username: "carol", ...(password === undefined ? {} : { password }) }],
});

async function signIn(world: World, browser: Browser, password: string | undefined, scope: string) {
  const fields = password === undefined ? { person: "carol" } : { username: "carol", password };
  const consent = await browser.submit(await browser.open(world.authorizeUrl({ scope })), fields);
  // The earlier consent is remembered.
  const done = consent.leftFor === undefined
    ? await browser.submit(consent, { decision: "approve" })
    : consent;
  return await readTokens(await world.redeem(new URL(done.leftFor!).searchParams.get("code")!));
}

const changes: readonly { readonly from?: string; readonly to?: string; readonly scope: string }[] = [
  { from: "first password", to: "second password", scope: "openid" },
  { from: "first password", to: "second password", scope: "openid offline_access" },
  { to: "first password", scope: "openid offline_access" },
];

for (const { from, to, scope } of changes) {
  it(`changed configuration: a password changed from ${from} to ${to} ends sessions and grants of ${scope}`, async (open) => {
    const before = await open(carol(from));
    const browser = createBrowser(before);
    const tokens = await signIn(before, browser, from, scope);

    // A restart alone changes nothing.
    const restarted = await open(carol(from));
    assertEquals((await userinfo(restarted, tokens.access_token)).status, 200);
    const { refresh_token, access_token } = await readTokens(
      await refresh(restarted, tokens.refresh_token),
    );

    const world = await open(carol(to));
    assertEquals((await userinfo(world, access_token)).status, 401);
    assertEquals((await refresh(world, refresh_token)).status, 400);
    assertEquals(
      [world.lastRefusal()?.reason, world.lastRefusal()?.received],
      ["refresh_grant_ended", "password_changed"],
    );
    const later = createBrowser(world);
    for (const [name, value] of browser.cookies) later.cookies.set(name, value);
    const silent = await later.open(world.authorizeUrl({ scope: "openid", prompt: "none" }));
    assertEquals(new URL(silent.leftFor!).searchParams.get("error"), "login_required");

    // A new sign-in does not revive the old grants.
    const fresh = await signIn(world, later, to, scope);
    assert(claimsOf(fresh.id_token)["sid"] !== claimsOf(tokens.id_token)["sid"]);
    assertEquals((await refresh(world, refresh_token)).status, 400);
    assertEquals((await refresh(world, fresh.refresh_token)).status, 200);
  });
}

it("changed configuration: an open consent form asks for the new password", async (open) => {
  const before = await open(carol("first password"));
  const browser = createBrowser(before);
  const page = await browser.open(before.authorizeUrl());
  const consent = await browser.submit(page, { username: "carol", password: "first password" });
  const later = createBrowser(await open(carol("second password")));
  for (const [name, value] of browser.cookies) later.cookies.set(name, value);
  const again = await later.submit(consent, { decision: "approve" });
  assertEquals([again.leftFor, again.html.includes('name="password"')], [undefined, true]);
});

test("changed configuration: the store has no password hash, and each person's password mark is different", async () => {
  const store = memoryStore();
  const people = ["carol", "dave"].map((username) => ({ username, password: "shared password" }));
  await using world = createWorld({ clients: bearerClients, login: "picker", people, store });
  for (const username of ["carol", "dave"]) {
    const browser = createBrowser(world);
    const page = await browser.open(world.authorizeUrl());
    await browser.submit(page, { username, password: "shared password" });
  }
  const marks: string[] = [];
  for await (const { value } of store.list!<{ accounts: { passwordMark: string }[] }>({ name: "session" })) {
    marks.push(...value.accounts.map(({ passwordMark }) => passwordMark));
  }
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode("shared password"));
  const plainHash = btoa(String.fromCharCode(...new Uint8Array(digest)));
  assertEquals([marks.length, new Set(marks).size], [2, 2]);
  assert(!marks.some((mark) => mark.slice(0, 40) === plainHash.slice(0, 40)));
});

it("changed configuration: new signing keys do not sign people out", async (open) => {
  const people = carol(await hashPassword("first password"));
  const first = await open(people);
  const { refresh_token } = await signIn(first, createBrowser(first), "first password", "openid");
  await readTokens(
    await refresh(await open({ ...people, signingKeys: [secondEs256Thumbprint.jwk] }), refresh_token),
  );
});
