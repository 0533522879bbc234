/** Who may exchange which tokens: the configuration of the client, `act`, `may_act` and bound tokens (RFC 8693 §4). */

import { assert, assertEquals } from "@std/assert";
import type { ClientMetadata } from "../../../src/mod.ts";
import { assertCannotCreate } from "../oauth/refusals.ts";
import { inTurn } from "../../in_turn.ts";
import { test } from "../../runner.ts";
import { createWorld, type Params, redirectUri, type World } from "../../world.ts";
import { assertRefused, claimsOf, introspect } from "./bearer.ts";
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
  ownToken,
  secretOf,
  typeOf,
  web,
} from "./exchange_world.ts";

type Terms = NonNullable<ClientMetadata["token_exchange"]>;

interface Denied {
  readonly terms: Terms | undefined;
  readonly changed?: (world: World) => Promise<Params>;
  readonly refusal: string;
  readonly expected: string;
  /** What the remedy adds. */
  readonly remedy: Terms;
}

const withActor = async (world: World): Promise<Params> => (actedBy(await ownToken(world, "gateway")));

const denied: Readonly<Record<string, Denied>> = {
  "without any line": {
    terms: undefined,
    changed: () => Promise.resolve({ audience: orders }),
    refusal: "400 invalid_target exchange_target_not_allowed",
    expected: "token_exchange.to, which the client lacks",
    remedy: { to: [orders] },
  },
  "for another audience": {
    terms: { from: ["web"], to: [gatewayApi] },
    changed: () => Promise.resolve({ audience: orders }),
    refusal: "400 invalid_target exchange_target_not_allowed",
    expected: gatewayApi,
    remedy: { from: ["web"], to: [gatewayApi, orders] },
  },
  "for two other audiences": {
    terms: { from: ["web"], to: [gatewayApi] },
    changed: () => Promise.resolve({ audience: [gatewayApi, orders, "https://billing.example/"] }),
    refusal: "400 invalid_target exchange_target_not_allowed",
    expected: gatewayApi,
    remedy: { from: ["web"], to: [gatewayApi, orders, "https://billing.example/"] },
  },
  "of another client": {
    terms: { from: ["other"], to: [orders] },
    refusal: "400 invalid_request exchange_origin_not_allowed",
    expected: "other",
    remedy: { from: ["other", "web"], to: [orders] },
  },
  "with an actor": {
    terms: { from: ["web"], to: [orders] },
    changed: withActor,
    refusal: "400 invalid_request exchange_actor_not_allowed",
    expected: "token_exchange.actors, which the client lacks",
    remedy: { from: ["web"], to: [orders], actors: ["gateway"] },
  },
  "with another actor": {
    terms: { from: ["web"], to: [orders], actors: ["other"] },
    changed: withActor,
    refusal: "400 invalid_request exchange_actor_not_allowed",
    expected: "other",
    remedy: { from: ["web"], to: [orders], actors: ["other", "gateway"] },
  },
};

for (const [name, { terms, changed, refusal, expected, remedy }] of Object.entries(denied)) {
  test(`exchange policy: ${name}, the refusal has the missing line, and with it the exchange works`, async () => {
    const clients = [web, exchanger("gateway", terms)];
    let suggested: Terms | undefined;
    await inExchange(async (world, { access_token: subject }) => {
      const params = await changed?.(world);
      await assertRefused(world, exchange(world, subject, params), refusal);
      assertEquals(world.lastRefusal()?.expected, expected);
      const text = world.lastRefusal()?.remedy ?? "";
      const { clients: [entry] } = JSON.parse(text);
      assertEquals(entry, { client_id: "gateway", token_exchange: remedy });
      suggested = entry.token_exchange;
    }, { clients });
    await inExchange(async (world, { access_token: subject }) => {
      const { status } = await exchange(world, subject, await changed?.(world));
      assertEquals(status, 200);
    }, { clients: [web, exchanger("gateway", { from: ["web"], ...suggested })] });
  });
}

test("exchange policy: with actors in the configuration, an actor_token is needed (RFC 8693 §1.1)", () =>
  inExchange(async (world, { access_token: subject }) => {
    await assertRefused(world, exchange(world, subject), "400 invalid_request exchange_actor_missing");
  }, { clients: [web, exchanger("gateway", { from: ["web"], to: [orders], actors: ["gateway"] })] }));

const chat = { audience: "https://chat.example/", client_id: "x" };

const faulty: readonly (readonly [name: string, client: ClientMetadata, problem: string])[] = [
  [
    "a public client",
    { client_id: "gateway", redirect_uris: [redirectUri], token_exchange: { from: ["web"] } },
    "clients[1].token_exchange must not be given: a public client may not exchange tokens",
  ],
  [
    "a client without the grant type",
    { client_id: "gateway", client_secret: "x", token_exchange: { from: ["web"] } },
    `clients[1].grant_types must have ${exchangeGrant}: token_exchange needs it`,
  ],
  [
    "an audience that is no issuer",
    exchanger("gateway", { id_jag: [chat, { ...chat, audience: "chat" }] }),
    "clients[1].token_exchange.id_jag[1].audience must be an issuer, which is a URL",
  ],
  ...(["audience", "client_id"] as const).map((name) =>
    [
      `a server without ${name}`,
      exchanger("gateway", { id_jag: [chat, { ...chat, [name]: undefined } as never] }),
      `clients[1].token_exchange.id_jag[1].${name} is required`,
    ] as const
  ),
  [
    "a malformed scope",
    exchanger("gateway", { id_jag: [chat, { ...chat, scope: "a  b" }] }),
    "clients[1].token_exchange.id_jag[1].scope must be scope names separated by single spaces",
  ],
];

for (const [name, client, problem] of faulty) {
  test(`exchange policy: ${name} is an error at the start`, () =>
    assertCannotCreate(() => createWorld({ clients: [web, client] }), problem));
}

const chain = [
  web,
  exchanger("gateway", { from: ["web"], to: [orders], actors: ["gateway"] }),
  exchanger("orders", { from: ["gateway"], to: ["https://stock.example/"], actors: ["orders"] }, {
    introspects: ["https://stock.example/"],
  }),
  exchanger("stock", { from: ["orders"], to: ["https://mail.example/"] }),
];

async function exchangeAs(world: World, subject: string, as: string, withoutActor = false): Promise<string> {
  const actor = withoutActor ? {} : actedBy(await ownToken(world, as));
  const response = await exchange(world, subject, actor, { as });
  assertEquals(response.status, 200, JSON.stringify(world.lastRefusal()));
  return (await response.json()).access_token;
}

test("exchange policy: act has the current actor, and the earlier ones inside (RFC 8693 §4.1)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const first = await exchangeAs(world, subject, "gateway");
    const { issuer: iss } = world;
    assertEquals(claimsOf(first)["act"], { iss, sub: "gateway" });
    assertEquals(claimsOf(first)["sub"], claimsOf(subject)["sub"]);
    const second = await exchangeAs(world, first, "orders");
    assertEquals(world.journal.at(-1)!.facts.more, { token_exchange: { from: "gateway", actor: "orders" } });
    const act = { iss, sub: "orders", act: { iss, sub: "gateway" } };
    assertEquals(claimsOf(second)["act"], act);
    const introspected = await (await introspect(world, second, secretOf("orders"))).json();
    assertEquals([introspected.active, introspected.act], [true, act]);
    // An exchange without an actor keeps the actors.
    assertEquals(claimsOf(await exchangeAs(world, second, "stock", true))["act"], act);
    assertEquals(world.journal.at(-1)!.facts.more, { token_exchange: { from: "orders" } });
  }, { clients: chain }));

test("exchange policy: an earlier actor of a token of an earlier version gets the issuer, too (RFC 8693 §4.1)", () => {
  const seams = {
    claims: (value: { readonly claims: Readonly<Record<string, unknown>> }) =>
      value.claims["client_id"] === "web"
        ? { ...value, claims: { ...value.claims, act: { sub: "first" } } }
        : value,
  };
  return inExchange(async (world, { access_token: subject }) => {
    const { issuer: iss } = world;
    const act = { iss, sub: "gateway", act: { iss, sub: "first" } };
    assertEquals(claimsOf(await exchangeAs(world, subject, "gateway"))["act"], act);
  }, { clients: chain, seams: seams as never });
});

test("exchange policy: only the outermost actor counts (RFC 8693 §4.1)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const second = await exchangeAs(world, await exchangeAs(world, subject, "gateway"), "orders");
    // The gateway is an earlier actor, and may not exchange the token of orders.
    const asked = exchange(world, second, actedBy(await ownToken(world, "gateway")));
    await assertRefused(world, asked, "400 invalid_request exchange_origin_not_allowed");
  }, { clients: chain }));

test("exchange policy: an actor_token must be valid, and name its subject (RFC 8693 §2.2.2)", () =>
  inExchange(async (world, { access_token: subject, refresh_token }) => {
    const actor_token_type = typeOf("access_token");
    const late = await ownToken(world, "gateway");
    const asked = exchange(world, subject, { actor_token: "x", actor_token_type });
    await assertRefused(world, asked, "400 invalid_request exchanged_unknown");
    await world.post("/oauth2/revoke", { token: late }, secretOf("gateway"));
    const ended = exchange(world, subject, { actor_token: late, actor_token_type });
    await assertRefused(world, ended, "400 invalid_request exchanged_ended");
    assertEquals(world.lastRefusal()?.description, "The actor_token is not valid any more");
    const refresh = exchange(world, subject, actedBy(refresh_token, "refresh_token"));
    await assertRefused(world, refresh, "400 invalid_request refresh_token_as_actor");
  }, { clients: chain }));

test("exchange policy: an actor_token without sub names no actor (RFC 8693 §4.1)", () => {
  const seams = {
    claims: (
      { claims: { sub, ...claims }, ...value }: { readonly claims: Readonly<Record<string, unknown>> },
    ) => ({ ...value, claims: claims["scope"] === "act" ? claims : { sub, ...claims } }),
  };
  return inExchange(async (world, { access_token: subject }) => {
    const asked = exchange(world, subject, await withActor(world));
    await assertRefused(world, asked, "400 invalid_request exchange_actor_unnamed");
  }, { clients: chain, seams: seams as never });
});

const mayAct: readonly (readonly [named: unknown, withoutActor: boolean, withActor: boolean])[] = [
  [{ sub: "gateway" }, true, true],
  [{ client_id: "gateway" }, true, true],
  [{ sub: "gateway", iss: "https://as.test" }, true, true],
  [{ sub: "gateway", iss: "https://other.test" }, false, false],
  [{ sub: "batch" }, false, true],
  [{ sub: "other" }, false, false],
  [{ sub: "gateway", department: "sales" }, false, false],
  [{}, false, false],
  [JSON.parse('{ "__proto__": {} }'), false, false],
  ["gateway", false, false],
  [null, false, false],
];

for (const [named, alone, together] of mayAct) {
  const text = JSON.stringify(named);
  test(`exchange policy: may_act ${text} is honoured, and stays in the new token (RFC 8693 §4.4)`, () => {
    const seams = {
      claims: (value: { readonly claims: Readonly<Record<string, unknown>> }) =>
        value.claims["client_id"] === "web"
          ? { ...value, claims: { ...value.claims, may_act: named } }
          : value,
    };
    const clients = [
      web,
      gateway,
      exchanger("delegate", { from: ["web"], to: [orders], actors: ["batch", "gateway"] }),
      { client_id: "batch", client_secret: "batch secret" },
    ];
    return inExchange(async (world, { access_token: subject }) => {
      const outcome = async (response: Response) => {
        const { access_token: token } = await response.json();
        if (token === undefined) {
          const { reason, expected, received } = world.lastRefusal()!;
          assertEquals([reason, expected], ["may_act_differs", text]);
          assertEquals(Object.entries(JSON.parse(received!))[0], ["iss", "https://as.test"]);
        } else assertEquals(claimsOf(token)["may_act"], named);
        return token !== undefined;
      };
      assertEquals(await outcome(await exchange(world, subject)), alone);
      const actor = text.includes("batch") ? "batch" : "gateway";
      const delegated = await exchange(world, subject, actedBy(await ownToken(world, actor)), {
        as: "delegate",
      });
      assertEquals(await outcome(delegated), together);
    }, { clients, seams: seams as never });
  });
}

const bound = [
  {
    ...web,
    grant_types: ["authorization_code", "refresh_token", exchangeGrant],
    // It has no effect for the own tokens of the client.
    token_exchange: { from: ["web"], to: [orders], without_proof: [gatewayApi] },
  },
  gateway,
  exchanger("receiver", { from: ["web"], to: [orders], without_proof: [gatewayApi] }),
];

async function boundSubject(world: World, key: Awaited<ReturnType<typeof createProofKey>>): Promise<string> {
  const tokens = await boundTokens(key, world, { client_id: "web", resource: gatewayApi }, secretOf("web"));
  return tokens.access_token;
}

test("exchange policy: the client of a bound token must prove its key (RFC 9449 §5)", () =>
  inExchange(async (world) => {
    const [key, other] = [await createProofKey(), await createProofKey()];
    const subject = await boundSubject(world, key);
    const asWeb = async (headers: Readonly<Record<string, string>>) =>
      await exchange(world, subject, {}, { as: "web", headers });
    for (const headers of [{}, await proof(other, world)]) {
      await assertRefused(world, asWeb(headers), "400 invalid_request exchanged_key_unproven");
      assertEquals(world.lastRefusal()?.remedy, undefined);
    }
    const { token_type, access_token: token } = await (await asWeb(await proof(key, world))).json();
    assertEquals([token_type, claimsOf(token)["cnf"]], ["DPoP", { jkt: key.thumbprint }]);
  }, { clients: bound }));

test("exchange policy: another client needs no proof if the token is for it and its configuration says so", () =>
  inExchange(async (world) => {
    const [key, own] = [await createProofKey(), await createProofKey()];
    const subject = await boundSubject(world, key);
    await assertRefused(world, exchange(world, subject), "400 invalid_request exchanged_key_unproven");
    const { clients: [suggested] } = JSON.parse(world.lastRefusal()!.remedy!);
    assertEquals(suggested.token_exchange, { from: ["web"], to: [orders], without_proof: [gatewayApi] });

    const plain = await (await exchange(world, subject, {}, { as: "receiver" })).json();
    assertEquals([plain.token_type, claimsOf(plain.access_token)["cnf"]], ["Bearer", undefined]);
    const headers = await proof(own, world);
    const again = await (await exchange(world, subject, {}, { as: "receiver", headers })).json();
    assertEquals([again.token_type, claimsOf(again.access_token)["cnf"]], ["DPoP", { jkt: own.thumbprint }]);

    // One of its audiences is enough.
    const resource = [orders, gatewayApi];
    const both = await boundTokens(key, world, { client_id: "web", resource }, secretOf("web"));
    assertEquals((await exchange(world, both.access_token, {}, { as: "receiver" })).status, 200);

    const elsewhere = await boundTokens(key, world, { client_id: "web", resource: orders }, secretOf("web"));
    const asked = exchange(world, elsewhere.access_token, {}, { as: "receiver" });
    await assertRefused(world, asked, "400 invalid_request exchanged_key_unproven");
    const { clients: [more] } = JSON.parse(world.lastRefusal()!.remedy!);
    assertEquals(more.token_exchange.without_proof, [gatewayApi, orders]);
  }, { clients: bound }));

test("exchange policy: a bound refresh token needs its proof, also if the client has got a secret since (RFC 9449 §5)", () =>
  inTurn({}, async (open) => {
    const key = await createProofKey();
    const callback = { client_id: "web", redirect_uris: [redirectUri] };
    const before = await open({ clients: [callback] });
    const { refresh_token: subject } = await boundTokens(key, before, { client_id: "web" });
    const world = await open({ clients: [exchanger("web", { from: ["web"], to: [orders] }, callback)] });
    const ask = (headers = {}) =>
      exchange(world, subject, { subject_token_type: typeOf("refresh_token") }, { as: "web", headers });
    await assertRefused(world, ask(), "400 invalid_request exchanged_key_unproven");
    assertEquals((await ask(await proof(key, world))).status, 200);
  }));

test("exchange policy: a token may be an actor_token only for the holder of its key (RFC 9449 §5)", () =>
  inExchange(async (world, { access_token: subject }) => {
    const key = await createProofKey();
    const response = await world.post("/oauth2/token", { grant_type: "client_credentials", scope: "act" }, {
      ...secretOf("gateway"),
      ...await proof(key, world),
    });
    const actor = actedBy((await response.json()).access_token);
    await assertRefused(world, exchange(world, subject, actor), "400 invalid_request exchanged_key_unproven");
    const headers = await proof(key, world);
    const { access_token: token } = await (await exchange(world, subject, actor, { headers })).json();
    assert(claimsOf(token)["act"]);
  }, { clients: chain }));
