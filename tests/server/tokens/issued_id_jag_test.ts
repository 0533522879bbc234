/** The identity provider's half of ID-JAG (draft-ietf-oauth-identity-assertion-authz-grant). */

import { assertEquals, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { createBrowser, type Params, redirectUri, type World } from "../../world.ts";
import { assertRefused, claimsOf, headerOf, refusalOf, type Tokens } from "./bearer.ts";
import { createProofKey, proof } from "./dpop.ts";
import {
  actedBy,
  exchange,
  exchangeGrant,
  exchanger,
  gateway,
  inExchange,
  orders,
  ownToken,
  typeOf,
  web,
  webTokens,
} from "./exchange_world.ts";

const chat = "https://chat.example/";

const wiki = exchanger("web", { id_jag: [{ audience: chat, client_id: "wiki-at-chat" }] }, {
  redirect_uris: [redirectUri],
  grant_types: ["authorization_code", "refresh_token", "client_credentials", exchangeGrant],
});

function askIdJag(
  world: World,
  { id_token }: Pick<Tokens, "id_token">,
  changed: Params = {},
  headers: Readonly<Record<string, string>> = {},
): Promise<Response> {
  return exchange(world, id_token, {
    subject_token_type: typeOf("id_token"),
    requested_token_type: typeOf("id-jag"),
    audience: chat,
    ...changed,
  }, { as: "web", headers });
}

const it = testIn<[{ readonly world: World; readonly tokens: Tokens }]>((work) =>
  inExchange((world, tokens) => work({ world, tokens }), { clients: [wiki, gateway] })
);

it("id-jag: the answer is not an access token and has no refresh token (ID-JAG §4.3.4)", async ({ world, tokens }) => {
  const response = await askIdJag(world, tokens, {
    scope: "chat.read",
    resource: "https://api.chat.example/",
  });
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  const { access_token: text, ...members } = await response.json();
  assertEquals(members, {
    issued_token_type: typeOf("id-jag"),
    token_type: "N_A",
    expires_in: 300,
    scope: "chat.read",
  });
  const { typ, alg } = headerOf(text);
  assertEquals([typ, alg], ["oauth-id-jag+jwt", "ES256"]);
  const { jti, ...claims } = claimsOf(text);
  assertEquals(claims, {
    iss: "https://as.test",
    sub: "alice",
    aud: chat,
    client_id: "wiki-at-chat",
    iat: world.clock.now,
    exp: world.clock.now + 300,
    resource: "https://api.chat.example/",
    scope: "chat.read",
    auth_time: world.clock.now,
  });
  assertMatch(String(jti), /^[\w-]{16,}$/);
  const { scope, resource } = world.journal.at(-1)!.facts;
  assertEquals([scope, resource], [["chat.read"], ["https://api.chat.example/"]]);
});

it("id-jag: without scope and resource, the claims have none (ID-JAG §3)", async ({ world, tokens }) => {
  const { access_token: text, scope } = await (await askIdJag(world, tokens)).json();
  const claims = claimsOf(text);
  assertEquals([scope, claims["scope"], claims["resource"]], [undefined, undefined, undefined]);
  const two = ["https://a.example/", "https://b.example/"];
  const { access_token: other } = await (await askIdJag(world, tokens, { resource: two })).json();
  assertEquals(claimsOf(other)["resource"], two);
});

it("id-jag: an access token or a refresh token of the person serves as well (ID-JAG §4.3)", async ({ world, tokens }) => {
  for (const name of ["access_token", "refresh_token"] as const) {
    const changed = { subject_token: tokens[name], subject_token_type: typeOf(name) };
    const { access_token: text } = await (await askIdJag(world, tokens, changed)).json();
    assertEquals(claimsOf(text)["sub"], "alice");
  }
});

it("id-jag: it lives no longer than the subject_token (RFC 8693 §5)", async ({ world, tokens }) => {
  world.clock.advance(3500);
  const { access_token: text, expires_in } = await (await askIdJag(world, tokens)).json();
  assertEquals([expires_in, claimsOf(text)["exp"]], [100, claimsOf(tokens.id_token)["exp"]]);
});

it("id-jag: it is bound to the key that the request proves (ID-JAG §4.4.1)", async ({ world, tokens }) => {
  const key = await createProofKey();
  const response = await askIdJag(world, tokens, {}, await proof(key, world));
  const { access_token: text, token_type } = await response.json();
  assertEquals([token_type, claimsOf(text)["cnf"]], ["N_A", { jkt: key.thumbprint }]);
});

const refusals: readonly (readonly [name: string, changed: Params, refusal: string])[] = [
  ["no audience", { audience: undefined }, "invalid_target id_jag_audience_missing"],
  ["two audiences", { audience: [chat, orders] }, "invalid_target id_jag_audience_missing"],
  ["an audience without entry", { audience: orders }, "invalid_target id_jag_audience_not_allowed"],
  [
    "an audience with another slash",
    { audience: "https://chat.example" },
    "invalid_target id_jag_audience_not_allowed",
  ],
  ["a relative resource", { resource: "/mcp" }, "invalid_target id_jag_resource_malformed"],
  ["a malformed scope", { scope: "a  b" }, "invalid_scope scope_malformed"],
];

it("id-jag: a request for another audience, or a malformed one, is refused (ID-JAG §4.3)", async ({ world, tokens }) => {
  for (const [name, changed, refusal] of refusals) {
    const asked = askIdJag(world, tokens, changed);
    assertEquals((await refusalOf(world, asked)).join(" "), `400 ${refusal}`, name);
  }
  await askIdJag(world, tokens, { audience: orders });
  const { clients: [entry] } = JSON.parse(world.lastRefusal()!.remedy!);
  assertEquals(entry.token_exchange.id_jag, [
    { audience: chat, client_id: "wiki-at-chat" },
    { audience: orders, client_id: "the id there" },
  ]);
});

test("id-jag: the configuration may limit the scope (ID-JAG §4.3.3)", () =>
  inExchange(async (world, tokens) => {
    const scopeOf = async (scope?: string) => (await (await askIdJag(world, tokens, { scope })).json()).scope;
    assertEquals([await scopeOf("chat.read"), await scopeOf()], ["chat.read", "chat.read chat.write"]);
    const more = askIdJag(world, tokens, { scope: "chat.admin" });
    await assertRefused(world, more, "400 invalid_scope scope_not_granted");
  }, {
    clients: [{
      ...wiki,
      token_exchange: { id_jag: [{ audience: chat, client_id: "x", scope: "chat.read chat.write" }] },
    }, gateway],
  }));

test("id-jag: a client gets one for its own token of a person only (ID-JAG §4.3.3)", () =>
  inExchange(async (world, { id_token }) => {
    const changed = { requested_token_type: typeOf("id-jag"), audience: chat };
    const foreign = exchange(world, id_token, { ...changed, subject_token_type: typeOf("id_token") });
    await assertRefused(world, foreign, "400 invalid_request id_jag_token_of_another_client");
    const own = exchange(world, await ownToken(world, "gateway"), changed);
    await assertRefused(world, own, "400 invalid_request id_jag_without_person");
  }, { clients: [web, exchanger("gateway", { id_jag: [{ audience: chat, client_id: "x" }] })] }));

test("id-jag: an actor is in it (RFC 8693 §4.1)", () =>
  inExchange(async (world, tokens) => {
    const actor = actedBy(await ownToken(world, "web"));
    assertEquals(claimsOf((await (await askIdJag(world, tokens)).json()).access_token)["act"], undefined);
    const { access_token: text } = await (await askIdJag(world, tokens, actor)).json();
    assertEquals(claimsOf(text)["act"], { iss: world.issuer, sub: "web" });
  }, { clients: [{ ...wiki, token_exchange: { ...wiki.token_exchange, actors: ["web"] } }, gateway] }));

test("id-jag: with pairwise subjects, sub is the one for the host of the audience (OpenID Connect Core §8.1)", () => {
  const pairwise = { subject_type: "pairwise" } as const;
  const callback = "https://chat.example/cb";
  const withPort = "https://chat.example:8443/";
  const servers = [chat, withPort].map((audience) => ({ audience, client_id: "wiki-at-chat" }));
  const itself = { client_id: "chat", client_secret: "chat secret", redirect_uris: [callback], ...pairwise };
  return inExchange(async (world, tokens) => {
    const { access_token: text } = await (await askIdJag(world, tokens)).json();
    const code = await world.code({ client_id: "chat", redirect_uri: callback, scope: "openid" });
    const { id_token: signedIn } = await (await world.redeem(code, {
      client_id: undefined,
      redirect_uri: callback,
    }, { authorization: `Basic ${btoa("chat:chat+secret")}` })).json();
    assertEquals(claimsOf(text)["sub"], claimsOf(signedIn)["sub"]);
    const { access_token: other } = await (await askIdJag(world, tokens, { audience: withPort })).json();
    assertEquals(claimsOf(other)["sub"], claimsOf(signedIn)["sub"]);
  }, { clients: [{ ...wiki, ...pairwise, token_exchange: { id_jag: servers } }, itself] });
});

it("id-jag: the server accepts its ID-JAG as no token (RFC 8725 §3.12)", async ({ world, tokens }) => {
  const { access_token: text } = await (await askIdJag(world, tokens)).json();
  assertEquals((await world.get("/userinfo", { authorization: `Bearer ${text}` })).status, 401);
  for (const type of ["access_token", "jwt", "id_token"]) {
    const asked = askIdJag(world, { id_token: text }, { subject_token_type: typeOf(type) });
    await assertRefused(world, asked, "400 invalid_request exchanged_unknown");
  }
  const hint = await createBrowser(world).open(`/connect/logout?id_token_hint=${text}`);
  assertEquals([hint.status, world.lastRefusal()?.reason], [400, "hint_not_ours"]);
  await webTokens(world);
});

test("id-jag: an access token in exchange for that of another client is not the client's own (ID-JAG §4.3.3)", () => {
  const both = exchanger("gateway", {
    from: ["web"],
    to: [orders],
    id_jag: [{ audience: chat, client_id: "gateway-at-chat" }],
  });
  return inExchange(async (world, tokens) => {
    const exchanged = await (await exchange(world, tokens.access_token)).json();
    const asked = { requested_token_type: typeOf("id-jag"), audience: chat };
    const foreign = exchange(world, exchanged.access_token, asked);
    await assertRefused(world, foreign, "400 invalid_request id_jag_token_of_another_client");
  }, { clients: [web, both] });
});
