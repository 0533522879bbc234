/** An ID token in a token exchange: it gives no more than the last token response of its login (RFC 8693 §5). */

import { assertEquals } from "@std/assert";
import { type ClientMetadata, memoryStore, type Seam, type Store } from "../../../src/mod.ts";
import { payment, types } from "../features/authorization_details.ts";
import { inTurn } from "../../in_turn.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import {
  createWorld,
  inWorld,
  type Params,
  redirectUri,
  type World,
  type WorldOptions,
} from "../../world.ts";
import { assertRefused, claimsOf, readTokens, refresh, type Tokens } from "./bearer.ts";
import { boundTokens, createProofKey, proof } from "./dpop.ts";
import {
  actedBy,
  exchange,
  exchangeGrant,
  exchanger,
  gateway,
  gatewayApi,
  inExchange,
  orders,
  secretOf,
  typeOf,
} from "./exchange_world.ts";

const chat = "https://chat.example/";

/** A client that exchanges its own tokens. Its own audience has no effect for them. */
const web: ClientMetadata = exchanger("web", {
  from: ["web"],
  to: [orders],
  without_proof: [gatewayApi],
  id_jag: [{ audience: chat, client_id: "web-at-chat" }],
}, {
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token", "client_credentials", exchangeGrant],
});

const receiver = exchanger("receiver", { from: ["web"], to: [orders], without_proof: [gatewayApi] });

const clients = [web, gateway, receiver];

const asIdToken = { subject_token_type: typeOf("id_token") };
const unproven = "400 invalid_request exchanged_key_unproven";

type Headers = Readonly<Record<string, string>>;

function exchangeIdToken(
  world: World,
  { id_token }: Pick<Tokens, "id_token">,
  changed: Params = {},
  terms: { readonly as?: string; readonly headers?: Headers } = {},
): Promise<Response> {
  return exchange(world, id_token, { ...asIdToken, ...changed }, terms);
}

async function exchangedScope(world: World, tokens: Pick<Tokens, "id_token">): Promise<string> {
  return (await readTokens(await exchangeIdToken(world, tokens))).scope;
}

async function refreshAsWeb(world: World, { refresh_token }: Tokens, changed: Params = {}, headers = {}) {
  return await readTokens(await refresh(world, refresh_token, changed, { ...secretOf("web"), ...headers }));
}

/** A login that the redemption of the code narrows. */
async function narrowedLogin(world: World, login: Params, narrowed: Params, headers: Headers = {}) {
  const code = await world.code({ client_id: "web", ...login });
  const changed = { client_id: undefined, ...narrowed };
  return await readTokens(await world.redeem(code, changed, { ...secretOf("web"), ...headers }));
}

const it = testInWorld({ clients });

it("exchanged ID token: the scope is that of a narrowed redemption (RFC 8693 §5)", async (world) => {
  const tokens = await narrowedLogin(world, { scope: "openid read write" }, { scope: "openid read" });
  assertEquals([tokens.scope, await exchangedScope(world, tokens)], ["openid read", "openid read"]);
  const more = exchangeIdToken(world, tokens, { scope: "write" });
  await assertRefused(world, more, "400 invalid_scope scope_not_granted");
});

test("exchanged ID token: the scope is that of the last refresh, also for an earlier ID token (RFC 8693 §5)", () =>
  inExchange(async (world, tokens) => {
    const narrowed = await refreshAsWeb(world, tokens, { scope: "openid read" });
    for (const each of [narrowed, tokens]) assertEquals(await exchangedScope(world, each), "openid read");
    // The client may have the whole grant again, and then so may its ID token.
    await refreshAsWeb(world, narrowed);
    assertEquals(await exchangedScope(world, tokens), "openid read write");
  }, { clients }));

// Each row: a use of a refresh token that does not change the token.
const kept: readonly (readonly [name: string, options: WorldOptions])[] = [
  ["does not replace its token", { clients: [{ ...web, rotate_refresh_tokens: false }, gateway, receiver] }],
  ["sends a token again", { clients, lifetimes: { refreshGrace: 10 } }],
];

for (const [name, options] of kept) {
  test(`exchanged ID token: the scope is that of a refresh that ${name} (OAuth 2.1 §4.3.1)`, () =>
    inExchange(async (world, tokens) => {
      await refreshAsWeb(world, tokens);
      assertEquals(await exchangedScope(world, tokens), "openid read write");
      const narrowed = await refreshAsWeb(world, tokens, { scope: "openid read" });
      assertEquals(await exchangedScope(world, narrowed), "openid read");
      await refreshAsWeb(world, tokens);
      assertEquals(await exchangedScope(world, narrowed), "openid read write");
    }, options));
}

test("exchanged ID token: requests at once that narrow a kept refresh token all succeed (FAPI 2.0 §5.3.2.1-9)", () =>
  inExchange(async (world, tokens) => {
    const scopes = ["openid read", "openid write", "openid read write"];
    const all = await Promise.all(
      Array.from({ length: 21 }, (_, at) => refreshAsWeb(world, tokens, { scope: scopes[at % 3] })),
    );
    assertEquals(all.map(({ scope }) => scope), Array.from({ length: 21 }, (_, at) => scopes[at % 3]!));
  }, { clients: [{ ...web, rotate_refresh_tokens: false }, gateway] }));

test("exchanged ID token: the authorization details are those of the last token response (RFC 9396 §6)", async () => {
  const [five, six] = [payment("5.00"), payment("6.00")];
  const detailed = clients.map((client) => ({ ...client, authorization_details_types: Object.keys(types) }));
  const text = (details: readonly unknown[]) => JSON.stringify(details);
  await using world = createWorld({ clients: detailed, authorizationDetails: types });
  const login = { scope: "openid read", authorization_details: text([five, six]) };
  const tokens = await narrowedLogin(world, login, { authorization_details: text([five]) });
  const detailsOf = async (changed: Params = {}) =>
    claimsOf((await readTokens(await exchangeIdToken(world, tokens, changed))).access_token)[
      "authorization_details"
    ];
  assertEquals(await detailsOf(), [five]);
  const more = { authorization_details: text([six]) };
  const refused = exchangeIdToken(world, tokens, more);
  await assertRefused(world, refused, "400 invalid_authorization_details details_not_granted");
  await refreshAsWeb(world, tokens);
  assertEquals(await detailsOf(), [five, six]);
});

test("exchanged ID token: no authorization details, if the token was for another location (RFC 9396 §6.1)", async () => {
  const at = (location: string) => ({
    type: "account_information",
    actions: ["list"],
    locations: [location],
  });
  const [first, second] = ["https://one.example/", "https://two.example/"] as const;
  const login = {
    scope: "openid read",
    authorization_details: JSON.stringify([at(second)]),
    resource: [first, second],
  };
  const to = exchanger("gateway", { from: ["web"], to: [first, second] });
  await using world = createWorld({ clients: [web, to], authorizationDetails: types });
  const tokens = await narrowedLogin(world, login, { resource: first });
  const response = await exchangeIdToken(world, tokens, { audience: second });
  assertEquals(claimsOf((await readTokens(response)).access_token)["authorization_details"], undefined);
});

const forGateway = { client_id: "web", resource: gatewayApi };

it("exchanged ID token: the client of a bound login proves its key (RFC 9449 §5)", async (world) => {
  const [key, other] = [await createProofKey(), await createProofKey()];
  const tokens = await boundTokens(key, world, forGateway, secretOf("web"));
  const asWeb = (headers: Headers) => exchangeIdToken(world, tokens, {}, { as: "web", headers });
  for (const headers of [{}, await proof(other, world)]) {
    await assertRefused(world, asWeb(headers), unproven);
    assertEquals(world.lastRefusal()?.remedy, undefined);
  }
  const { token_type, access_token: token } = await readTokens(await asWeb(await proof(key, world)));
  assertEquals([token_type, claimsOf(token)["cnf"]], ["DPoP", { jkt: key.thumbprint }]);
  // The new token is bound, too.
  await assertRefused(world, exchange(world, token, {}, { as: "web" }), unproven);
});

it("exchanged ID token: the resources are those of the last token response (RFC 8707 §2.2)", async (world) => {
  const key = await createProofKey();
  const login = { scope: "openid", resource: [gatewayApi, orders] };
  const tokens = await narrowedLogin(world, login, { resource: orders }, await proof(key, world));
  const asReceiver = () => exchangeIdToken(world, tokens, {}, { as: "receiver" });
  await assertRefused(world, asReceiver(), unproven);
  await refreshAsWeb(world, tokens, { resource: gatewayApi }, await proof(key, world));
  assertEquals((await asReceiver()).status, 200);
});

it("exchanged ID token: the key is that of the last token response (RFC 9449 §5)", async (world) => {
  const [key, next] = [await createProofKey(), await createProofKey()];
  const tokens = await boundTokens(key, world, forGateway, secretOf("web"));
  // The client authenticates, so it may change its key.
  await refreshAsWeb(world, tokens, {}, await proof(next, world));
  const asWeb = async (by: typeof key) =>
    exchangeIdToken(world, tokens, {}, { as: "web", headers: await proof(by, world) });
  await assertRefused(world, asWeb(key), unproven);
  assertEquals((await asWeb(next)).status, 200);
});

test("exchanged ID token: one whose jti names no login is refused (RFC 8693 §2.2.2)", () => {
  const claims: Seam<"claims"> = (value) =>
    value.token === "id_token" ? { ...value, claims: { ...value.claims, jti: "x" } } : value;
  return inExchange(async (world, tokens) => {
    await assertRefused(
      world,
      exchangeIdToken(world, tokens),
      "400 invalid_request exchanged_id_token_without_grant",
    );
  }, { clients, seams: { claims } });
});

const forIdJag = { requested_token_type: typeOf("id-jag"), audience: chat };

test("exchanged ID token: an ID-JAG needs no key of the login or the actor, except for an access token (ID-JAG §4.3)", () => {
  const acting = { ...web, token_exchange: { ...web.token_exchange, actors: ["web"] } };
  return inWorld({ clients: [acting] }, async (world) => {
    const key = await createProofKey();
    const tokens = await boundTokens(key, world, { client_id: "web" }, secretOf("web"));
    const asked = { ...forIdJag, ...actedBy(tokens.id_token, "id_token") };
    const response = await exchangeIdToken(world, tokens, asked, { as: "web" });
    const { token_type, access_token } = await response.json();
    assertEquals([token_type, claimsOf(access_token)["cnf"]], ["N_A", undefined]);
    await assertRefused(world, exchange(world, tokens.access_token, forIdJag, { as: "web" }), unproven);
    const byAccessToken = { ...forIdJag, ...actedBy(tokens.access_token) };
    await assertRefused(world, exchangeIdToken(world, tokens, byAccessToken, { as: "web" }), unproven);
  });
});

test("exchanged ID token: an ID-JAG has no email after the client has left it out (ID-JAG §3)", () =>
  inExchange(async (world, tokens) => {
    const emailOf = async () => {
      const response = await exchangeIdToken(world, tokens, forIdJag, { as: "web" });
      return claimsOf((await response.json()).access_token)["email"];
    };
    assertEquals(await emailOf(), "alice@example.com");
    await refreshAsWeb(world, tokens, { scope: "openid" });
    assertEquals(await emailOf(), undefined);
  }, { asked: { scope: "openid email" }, clients }));

test("exchanged ID token: a token in exchange for it gives no more in a second exchange (RFC 8693 §5)", () => {
  const next = exchanger("next", { from: ["gateway"], to: ["https://stock.example/"] });
  return inWorld({ clients: [web, gateway, next] }, async (world) => {
    const tokens = await narrowedLogin(world, { scope: "openid read write" }, { scope: "openid read" });
    const { access_token: first } = await readTokens(await exchangeIdToken(world, tokens));
    await refreshAsWeb(world, tokens);
    const second = await readTokens(await exchange(world, first, {}, { as: "next" }));
    assertEquals(second.scope, "openid read");
  });
});

/** A store with the grants of an earlier version, which did not keep the last token response. */
function earlierStore(): Store {
  const store = memoryStore();
  return {
    ...store,
    put(kind, id, value, terms) {
      if (kind.name !== "grant") return store.put(kind, id, value, terms);
      const { lastResponse: _, ...earlier } = value as Record<string, unknown>;
      return store.put(kind, id, earlier as typeof value, terms);
    },
  };
}

test("exchanged ID token: of a grant of an earlier version, it proves openid and nothing else (RFC 8693 §5)", async () => {
  const login = { scope: "openid email read", authorization_details: JSON.stringify([payment("5.00")]) };
  const options = { store: earlierStore(), clients, authorizationDetails: types };
  await inExchange(async (world, tokens) => {
    const { scope, access_token } = await readTokens(await exchangeIdToken(world, tokens));
    assertEquals([scope, claimsOf(access_token)["authorization_details"]], ["openid", undefined]);
    const response = await exchangeIdToken(world, tokens, forIdJag, { as: "web" });
    assertEquals(claimsOf((await response.json()).access_token)["email"], undefined);
  }, { ...options, asked: login });
});

test("exchanged ID token: of a bound grant of an earlier version, it needs the key of the refresh token (RFC 9449 §5)", () => {
  const spa = { client_id: "spa", redirect_uris: [redirectUri] };
  const fromSpa = exchanger("gateway", { from: ["spa"], to: [orders] });
  return inWorld({ store: earlierStore(), clients: [spa, fromSpa] }, async (world) => {
    const key = await createProofKey();
    const tokens = await boundTokens(key, world, { client_id: "spa" });
    await assertRefused(world, exchangeIdToken(world, tokens), unproven);
    const headers = await proof(key, world);
    assertEquals((await exchangeIdToken(world, tokens, {}, { headers })).status, 200);
  });
});

test("exchanged ID token: a scope that its client has lost since is not in the new token (RFC 8693 §5)", () =>
  inTurn({}, async (open) => {
    const before = await open({ clients });
    const tokens = await narrowedLogin(before, { scope: "openid read write" }, {});
    const world = await open({ clients: [{ ...web, scope: "openid read" }, gateway] });
    assertEquals(await exchangedScope(world, tokens), "openid read");
  }));
