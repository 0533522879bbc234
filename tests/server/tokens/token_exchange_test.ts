/** Token exchange: what a request needs, what the new token is, and when it ends (RFC 8693). */

import { assert, assertEquals, assertFalse, assertMatch } from "@std/assert";
import { test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { type Params, redirectUri, type World } from "../../world.ts";
import { assertRefused, claimsOf, introspect, isActive, refusalOf, revoke, type Tokens } from "./bearer.ts";
import {
  actedBy,
  exchange,
  exchanger,
  gateway,
  inExchange,
  orders,
  ownToken,
  secretOf,
  typeOf,
  web,
  webTokens,
} from "./exchange_world.ts";

const asGateway = secretOf("gateway");

interface Given extends Tokens {
  readonly world: World;
  readonly tokens: Tokens;
}

const it = testIn<[Given]>((work) => inExchange((world, tokens) => work({ world, tokens, ...tokens })));

it("token exchange: the answer has the token and its type, and is not stored (RFC 8693 §2.2.1)", async ({ world, access_token: subject }) => {
  const response = await exchange(world, subject);
  assertEquals([response.status, response.headers.get("cache-control")], [200, "no-store"]);
  const { access_token: token, ...members } = await response.json();
  assertEquals(members, {
    issued_token_type: typeOf("access_token"),
    token_type: "Bearer",
    expires_in: 3600,
    scope: "openid read write",
  });
  const { jti, ...claims } = claimsOf(token);
  const { jti: before, ...earlier } = claimsOf(subject);
  assertEquals(claims, { ...earlier, aud: orders, client_id: "gateway" });
  assert(jti !== before);
  const introspected = await (await introspect(world, token, asGateway)).json();
  assertEquals([introspected.active, introspected.client_id, introspected.username], [
    true,
    "gateway",
    "alice",
  ]);
});

it("token exchange: jwt is an access token with that type (RFC 8693 §2.2.1, §3)", async ({ world, access_token: subject }) => {
  for (const name of ["access_token", "jwt"]) {
    const changed = { subject_token_type: typeOf(name), requested_token_type: typeOf(name) };
    const members = await (await exchange(world, subject, changed)).json();
    assertEquals([members.issued_token_type, members.token_type], [typeOf(name), "Bearer"]);
  }
});

test("token exchange: opaque tokens are exchanged, but not as jwt (RFC 8693 §3)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const { access_token: token } = await (await exchange(world, subject)).json();
    assertEquals(token.split(".").length, 2);
    const { aud, client_id } = await (await introspect(world, token, asGateway)).json();
    assertEquals([aud, client_id], [orders, "gateway"]);
    const asJwt = exchange(world, subject, { subject_token_type: typeOf("jwt") });
    await assertRefused(world, asJwt, "400 invalid_request exchanged_unknown");
    const forJwt = exchange(world, subject, { requested_token_type: typeOf("jwt") });
    await assertRefused(world, forJwt, "400 invalid_request requested_jwt_is_opaque");
  }, { accessTokens: "opaque" }));

const malformed: readonly (readonly [name: string, changed: Params, reason: string])[] = [
  ["no subject_token", { subject_token: undefined }, "missing_parameter"],
  ["no subject_token_type", { subject_token_type: undefined }, "missing_parameter"],
  ["an actor_token without its type", { actor_token: "x" }, "actor_type_missing"],
  ["an actor_token_type alone", { actor_token_type: typeOf("access_token") }, "actor_type_alone"],
  ["a SAML assertion", { subject_token_type: typeOf("saml2") }, "exchanged_type_unsupported"],
  ["a request for an ID token", { requested_token_type: typeOf("id_token") }, "requested_type_unsupported"],
];

it("token exchange: a malformed request is refused (RFC 8693 §2.1)", async ({ world, access_token: subject }) => {
  for (const [name, changed, reason] of malformed) {
    const refusal = await refusalOf(world, exchange(world, subject, changed));
    assertEquals(refusal, [400, "invalid_request", reason], name);
  }
});

const unknown: readonly (readonly [name: string, type: string, text: (tokens: Params) => unknown])[] = [
  [
    "an access token with another signature",
    "access_token",
    ({ access_token: text }) => `${text}`.slice(0, -4),
  ],
  ["an ID token as an access token", "access_token", ({ id_token: text }) => text],
  ["a refresh token as an access token", "access_token", ({ refresh_token: text }) => text],
  ["an access token as an ID token", "id_token", ({ access_token: text }) => text],
  ["an access token as a refresh token", "refresh_token", ({ access_token: text }) => text],
];

it("token exchange: a text that is no token of its type is no valid subject_token (RFC 8693 §2.2.2)", async ({ world, tokens }) => {
  for (const [name, type, textOf] of unknown) {
    const subject = String(textOf({ ...tokens, expires_in: undefined }));
    const asked = exchange(world, subject, { subject_token_type: typeOf(type) });
    assertEquals(await refusalOf(world, asked), [400, "invalid_request", "exchanged_unknown"], name);
  }
});

for (const name of ["access_token", "id_token"] as const) {
  it(`token exchange: an ${name} ends with its time, its grant and its sign-in (RFC 8693 §2.2.2)`, async ({ world, tokens }) => {
    const changed = { subject_token_type: typeOf(name) };
    const refused = async (subject: string, expected: RegExp) => {
      await assertRefused(world, exchange(world, subject, changed), "400 invalid_request exchanged_ended");
      assertMatch(world.lastRefusal()?.expected ?? "", expected);
    };
    assertEquals((await exchange(world, tokens[name], changed)).status, 200);
    await revoke(world, tokens.refresh_token, {}, secretOf("web"));
    await refused(tokens[name], /^a grant/);
    const late = await webTokens(world);
    world.clock.advance(3600);
    await refused(late[name], new RegExp(`^exp after ${world.clock.now}$`));
  });
}

test("token exchange: a client exchanges its own refresh token only (RFC 6749 §10.4)", () =>
  inExchange(async (world, { refresh_token: subject }) => {
    const changed = { subject_token_type: typeOf("refresh_token") };
    const foreign = exchange(world, subject, changed);
    await assertRefused(world, foreign, "400 invalid_request refresh_token_of_another_client");
    const own = await exchange(world, subject, changed, { as: "web" });
    assertEquals(claimsOf((await own.json()).access_token)["client_id"], "web");
    // The exchange does not use the refresh token up.
    assertEquals((await exchange(world, subject, changed, { as: "web" })).status, 200);
  }, {
    clients: [
      exchanger("web", { from: ["web"], to: [orders] }, {
        redirect_uris: [redirectUri],
        grant_types: ["authorization_code", "refresh_token", ...gateway.grant_types!],
      }),
      gateway,
    ],
  }));

test("token exchange: a public client is refused (RFC 8693 §5)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const asked = world.post("/oauth2/token", {
      grant_type: gateway.grant_types![0],
      client_id: "spa",
      subject_token: subject,
      subject_token_type: typeOf("access_token"),
    });
    await assertRefused(world, asked, "400 unauthorized_client public_client_exchanges");
  }, { clients: [web, { client_id: "spa", grant_types: ["authorization_code", ...gateway.grant_types!] }] }));

it("token exchange: a client without the grant type is refused (RFC 6749 §5.2)", async ({ world, access_token: subject }) => {
  const asked = exchange(world, subject, {}, { as: "web" });
  await assertRefused(world, asked, "400 unauthorized_client grant_type_not_for_client");
});

test("token exchange: resource and audience may be repeated, and all must be allowed (RFC 8693 §2.1)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const many = { resource: [orders, "https://stock.example/"], audience: ["billing", "mail"] };
    const { access_token: token } = await (await exchange(world, subject, many)).json();
    assertEquals(claimsOf(token)["aud"], [orders, "https://stock.example/", "billing", "mail"]);
    const twice = { resource: orders, audience: [orders, ""] };
    assertEquals(
      claimsOf((await (await exchange(world, subject, twice)).json()).access_token)["aud"],
      orders,
    );
    await assertRefused(world, exchange(world, subject), "400 invalid_target exchange_target_missing");
    for (const more of [{ audience: "other" }, { resource: "https://other.example/" }]) {
      const asked = exchange(world, subject, { ...many, ...more });
      await assertRefused(world, asked, "400 invalid_target exchange_target_not_allowed");
    }
    const relative = exchange(world, subject, { resource: "billing" });
    await assertRefused(world, relative, "400 invalid_target resource_malformed");
  }, {
    clients: [
      web,
      exchanger("gateway", { from: ["web"], to: [orders, "https://stock.example/", "billing", "mail"] }),
    ],
  }));

test("token exchange: the scope is never beyond that of the subject or of the client (RFC 8693 §5)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const scopeOf = async (changed: Params = {}) =>
      (await (await exchange(world, subject, changed)).json()).scope;
    assertEquals(await scopeOf(), "read write");
    assertEquals(await scopeOf({ scope: "read" }), "read");
    for (const scope of ["read admin", "openid"]) {
      const more = exchange(world, subject, { scope });
      await assertRefused(world, more, "400 invalid_scope scope_not_granted");
    }
    const { access_token: narrow } = await webTokens(world, { scope: "openid" });
    await assertRefused(world, exchange(world, narrow), "400 invalid_scope exchange_without_scope");
    const { received } = world.lastRefusal()!;
    assertEquals(received, "openid; the client may have read write admin offline_access");
  }, {
    asked: { scope: "openid offline_access read write" },
    clients: [web, { ...gateway, scope: "read write admin offline_access" }],
  }));

for (const login of ["openid offline_access read", "openid read"]) {
  test(`token exchange: offline_access is left out beside other scopes, after a login with ${login} (RFC 8693 §2.2.1)`, () =>
    inExchange(async (world, { access_token: subject }) => {
      const response = await exchange(world, subject, { scope: "openid offline_access read" });
      const { scope, refresh_token } = await response.json();
      assertEquals([response.status, scope, refresh_token], [200, "openid read", undefined]);
      assertEquals([world.journal.at(-1)?.facts.scope, world.journal.at(-1)?.facts.advice?.reason], [
        ["openid", "read"],
        "exchange_without_refresh",
      ]);
      await exchange(world, subject, { scope: "openid read" });
      assertEquals(world.journal.at(-1)?.facts.advice, undefined);
    }, { asked: { scope: login }, clients: [web, { ...gateway, scope: "openid read" }] }));
}

test("token exchange: offline_access alone is no request for the whole scope (RFC 6749 §5.2)", () =>
  inExchange(async (world, { access_token: subject }) => {
    for (const scope of ["offline_access", "offline_access offline_access"]) {
      const asked = exchange(world, subject, { scope });
      await assertRefused(world, asked, "400 invalid_scope exchange_offline_access_alone");
    }
  }, { asked: { scope: "openid offline_access read" } }));

it("token exchange: the life is never beyond that of the subject (RFC 8693 §5)", async ({ world, access_token: subject }) => {
  world.clock.advance(3000);
  const first = await (await exchange(world, subject)).json();
  assertEquals([first.expires_in, claimsOf(first.access_token)["exp"]], [600, claimsOf(subject)["exp"]]);
  const { access_token: token } = first;
  world.clock.advance(601);
  assertFalse(await isActive(world, token, asGateway));
});

test("token exchange: what an ID token gives is valid as long as it says (RFC 8693 §2.2.1)", () =>
  inExchange(async (world, { id_token: subject }) => {
    world.clock.advance(3700);
    const response = await exchange(world, subject, { subject_token_type: typeOf("id_token") });
    const { access_token: token, expires_in } = await response.json();
    world.clock.advance(expires_in - 1);
    assert(await isActive(world, token, asGateway));
  }, {
    clients: [{ ...web, grant_types: ["authorization_code"] }, gateway],
    lifetimes: { accessToken: "5m", idToken: "2h" },
  }));

test("token exchange: revoking the first grant ends what was derived from it, also in two steps (RFC 7009 §2.1)", () =>
  inExchange(async (world, { access_token: subject, refresh_token }) => {
    const { access_token: first } = await (await exchange(world, subject)).json();
    const { access_token: second } = await (await exchange(world, first, {}, { as: "orders" })).json();
    const isSecondActive = () => isActive(world, second, secretOf("orders"));
    assertEquals([await isActive(world, first, asGateway), await isSecondActive()], [true, true]);
    await revoke(world, second, {}, secretOf("orders"));
    assertEquals([await isActive(world, first, asGateway), await isSecondActive()], [true, false]);
    const { access_token: third } = await (await exchange(world, first, {}, { as: "orders" })).json();
    assert(await isActive(world, third, secretOf("orders")));
    await revoke(world, refresh_token, {}, secretOf("web"));
    assertFalse(await isActive(world, first, asGateway));
    assertFalse(await isActive(world, third, secretOf("orders")));
  }, {
    clients: [web, gateway, exchanger("orders", { from: ["gateway"], to: ["https://stock.example/"] })],
  }));

test("token exchange: the token of a client for itself gives one without a grant (RFC 8693 §1.1)", () =>
  inExchange(async (world) => {
    const subject = await ownToken(world, "batch");
    const response = await exchange(world, subject);
    const { access_token: token, scope } = await response.json();
    const { sub, client_id, jti } = claimsOf(token);
    assertEquals([sub, client_id, scope, String(jti).includes(".")], ["batch", "gateway", "act", false]);
    assert(await isActive(world, token, asGateway));
  }, {
    clients: [
      web,
      { client_id: "batch", client_secret: "batch secret" },
      exchanger("gateway", { from: ["batch"], to: [orders] }),
    ],
  }));

test("token exchange: the configured subject of clients' own tokens does not replace the one of a subject_token", () =>
  inExchange(async (world) => {
    const subject = await ownToken(world, "batch");
    assertEquals(claimsOf(subject)["sub"], "service");
    const { access_token: token } = await (await exchange(world, subject)).json();
    const { sub, team } = claimsOf(token);
    assertEquals([sub, team], ["service", "blue"]);
  }, {
    tokenClaims: [
      { when: { client_id: "gateway" }, claims: { sub: "other", team: "blue" } },
      { claims: { sub: "service" } },
    ],
    clients: [
      web,
      { client_id: "batch", client_secret: "batch secret" },
      exchanger("gateway", { from: ["batch"], to: [orders] }),
    ],
  }));

test("token exchange: sub is the one of the client that exchanges (OpenID Connect Core §8.1)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const subOf = async (as: string) =>
      claimsOf((await (await exchange(world, subject, {}, { as })).json()).access_token)["sub"];
    const subs = [
      claimsOf(subject)["sub"],
      await subOf("gateway"),
      await subOf("plain"),
      await subOf("sibling"),
    ];
    assertEquals(new Set(subs).size, 3);
    assertEquals([subs[2], subs[3]], ["alice", subs[0]]);
  }, {
    clients: [
      { ...web, subject_type: "pairwise" },
      { ...gateway, subject_type: "pairwise", redirect_uris: ["https://gateway.example/cb"] },
      exchanger("plain", { from: ["web"], to: [orders] }),
      exchanger("sibling", { from: ["web"], to: [orders] }, {
        subject_type: "pairwise",
        redirect_uris: [redirectUri],
      }),
    ],
  }));

it("token exchange: the journal says whose token was exchanged, in the flow of its login", async ({ world, access_token: subject }) => {
  await exchange(world, subject, { scope: "read" });
  const { flow, subject: person, scope, resource, more } = world.journal.at(-1)!.facts;
  assertEquals([flow, person, scope, resource, more], [
    String(claimsOf(subject)["jti"]).split(".")[0],
    "alice",
    ["read"],
    [orders],
    { token_exchange: { from: "web" } },
  ]);
  const text = JSON.stringify(world.journal.map(({ facts }) => facts));
  assertFalse(text.includes(subject));
});

it("token exchange: a refused one is in the flow of the login of its subject, and not of its actor", async ({ world, tokens }) => {
  const flow = String(claimsOf(tokens.access_token)["jti"]).split(".")[0];
  await revoke(world, tokens.refresh_token, {}, secretOf("web"));
  for (const name of ["access_token", "id_token"] as const) {
    const asked = exchange(world, tokens[name], { subject_token_type: typeOf(name) });
    await assertRefused(world, asked, "400 invalid_request exchanged_ended");
    assertEquals(world.journal.at(-1)!.facts.flow, flow, name);
    const own = await ownToken(world, "gateway");
    const acted = exchange(world, own, actedBy(tokens[name], name));
    await assertRefused(world, acted, "400 invalid_request exchanged_ended");
    assertEquals(world.journal.at(-1)!.facts.flow, undefined, name);
    assertEquals(world.lastRefusal()?.description, "The actor_token is not valid any more");
  }
});

it("token exchange: the name of a type that the server does not know is shown, unless it may be a token", async ({ world, access_token: subject }) => {
  const longest = `urn:${"x".repeat(80)}`;
  for (const shown of ["urn:example:a-b_c.1", longest, `${longest}x`, "urn:example:a b", `x${longest}`]) {
    for (const changed of [{ requested_token_type: shown }, { subject_token_type: shown }]) {
      assertEquals((await exchange(world, subject, changed)).status, 400);
      const isShown = /^urn:example:a-|^urn:x{80}$/.test(shown);
      assertEquals(world.lastRefusal()!.received!.includes(shown), isShown, shown);
    }
  }
});

it("token exchange: an ID token is good in its last second (RFC 8693 §2.2.2)", async ({ world, id_token: subject }) => {
  world.clock.advance(3599.5);
  const answer = await exchange(world, subject, { subject_token_type: typeOf("id_token") });
  assertEquals((await answer.json()).expires_in, 1);
});
