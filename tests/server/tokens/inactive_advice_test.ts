/** An inactive token: the response is `{"active":false}` only, and the journal says why (RFC 7662 §2.2, §4). */

import { assertEquals } from "@std/assert";
import type { Advice, Seam, ServerOptions } from "../../../src/mod.ts";
import { inTurn } from "../../in_turn.ts";
import { runtime, test } from "../../runner.ts";
import { testIn } from "../../test_in.ts";
import { createWorld, inWorld, sampleKey, type World, type WorldOptions } from "../../world.ts";
import {
  api,
  asApi,
  asBasic,
  asStranger,
  bearerClients,
  introspect,
  readTokens,
  refresh,
  revoke,
  type Tokens,
  tokensOf,
  userinfo,
} from "./bearer.ts";

const options: WorldOptions = { clients: bearerClients };
const asked = { client_id: "basic", scope: "openid read" };

/** Opens a world, and issues tokens to the client `basic`. */
function withTokens(
  more: WorldOptions,
  work: (given: { readonly world: World; readonly tokens: Tokens }) => Promise<void>,
): Promise<void> {
  return inWorld(
    { ...options, ...more },
    async (world) => await work({ world, tokens: await tokensOf(world, asked, asBasic) }),
  );
}

/** Introspects an inactive token, and returns the advice in the journal. */
async function adviceFor(
  world: World,
  token: string,
  headers: HeadersInit = asBasic,
): Promise<Advice | undefined> {
  const response = await introspect(world, token, headers);
  assertEquals([response.status, await response.text()], [200, '{"active":false}']);
  const { advice, refusal } = world.journal.at(-1)!.facts;
  assertEquals(refusal, undefined);
  const text = JSON.stringify(advice);
  for (const part of token.split(".")) assertEquals(part.length > 20 && text.includes(part), false, text);
  return advice;
}

/** The members of the advice that differ from one cause to another. */
const picked = (advice: Advice | undefined) => [advice?.reason, advice?.expected, advice?.received];

test("inactive: a token of another client's API says who may see it, with the configuration", () =>
  inWorld(options, async (world) => {
    const { access_token } = await tokensOf(world, { ...asked, resource: api }, asBasic);
    const { remedy, ...advice } = (await adviceFor(world, access_token, asStranger))!;
    assertEquals(advice, {
      reason: "inactive_for_client",
      description: "The token is valid, but inactive for the client stranger, which may not see it",
      spec: "RFC 7662 §4",
      expected: `the client basic, or a client that introspects ${api}`,
      received: "the client stranger, which introspects https://elsewhere.example/",
      change: "Introspect as the client that got the token, or add the API to introspects of this client.",
    });
    const configuration: ServerOptions = JSON.parse(remedy!);
    const [suggested] = configuration.clients!;
    assertEquals(suggested, { client_id: "stranger", introspects: ["https://elsewhere.example/", api] });
  }));

const it = testIn<[{ readonly world: World; readonly tokens: Tokens }]>((work) => withTokens({}, work));

it("inactive: a token without a resource is for the issuer, which a client may introspect", async ({ world, tokens: { access_token } }) => {
  const { expected, received, remedy } = (await adviceFor(world, access_token, asApi))!;
  assertEquals(
    [expected, received, JSON.parse(remedy!).clients[0].introspects],
    [
      "the client basic, or a client that introspects https://as.test",
      `the client api, which introspects ${api}`,
      [api, "https://as.test"],
    ],
  );
});

it("inactive: a refresh token of another client has no configuration to suggest", async ({ world, tokens: { refresh_token } }) => {
  const advice = await adviceFor(world, refresh_token, asApi);
  assertEquals(
    [advice?.reason, advice?.expected, advice?.remedy],
    [
      "inactive_for_client",
      "the client basic: only its own client may introspect a refresh token",
      undefined,
    ],
  );
});

for (const accessTokens of ["jwt", "opaque"] as const) {
  test(`inactive: an access token that was revoked, ${accessTokens}`, () =>
    withTokens({ accessTokens }, async ({ world, tokens: { access_token } }) => {
      await revoke(world, access_token, {}, asBasic);
      assertEquals(picked(await adviceFor(world, access_token)), ["inactive_revoked", undefined, undefined]);
    }));

  test(`inactive: tokens of a grant that was revoked, ${accessTokens}`, () =>
    withTokens({ accessTokens }, async ({ world, tokens: { access_token, refresh_token } }) => {
      await revoke(world, refresh_token, {}, asBasic);
      for (const token of [access_token, refresh_token]) {
        assertEquals(picked(await adviceFor(world, token)), [
          "inactive_grant",
          "a grant that is not revoked",
          "grant_revoked",
        ]);
      }
      assertEquals((await userinfo(world, access_token)).status, 401);
      const { reason, expected, received } = world.lastRefusal()!;
      assertEquals([reason, expected, received], [
        "token_ended",
        "a grant that is not revoked",
        "grant_revoked",
      ]);
    }));

  test(`inactive: an access token that is not valid yet, ${accessTokens}`, () => {
    const claims: Seam<"claims"> = (value) =>
      value.token === "access_token" ? { ...value, claims: { ...value.claims, nbf: 1_800_000_060 } } : value;
    return withTokens({ accessTokens, seams: { claims } }, async ({ world, tokens: { access_token } }) => {
      assertEquals(picked(await adviceFor(world, access_token)), [
        "inactive_early",
        "nbf 1800000000 or before",
        "nbf 1800000060",
      ]);
    });
  });
}

for (const name of ["client_id", "jti", "exp"]) {
  test(`inactive: an access token without ${name} (RFC 9068 §2.2)`, () => {
    const claims: Seam<"claims"> = (value) =>
      value.token === "access_token" ? { ...value, claims: { ...value.claims, [name]: undefined } } : value;
    return withTokens({ seams: { claims } }, async ({ world, tokens: { access_token } }) => {
      assertEquals((await adviceFor(world, access_token))?.reason, "inactive_claims");
    });
  });
}

it("inactive: an access token that has expired", async ({ world, tokens: { access_token } }) => {
  world.clock.advance(3600);
  assertEquals(picked(await adviceFor(world, access_token)), [
    "inactive_expired",
    "exp after 1800003600",
    "exp 1800003600",
  ]);
});

it("inactive: a refresh token that was replaced", async ({ world, tokens: { refresh_token } }) => {
  assertEquals((await refresh(world, refresh_token, {}, asBasic)).status, 200);
  assertEquals(picked(await adviceFor(world, refresh_token)), [
    "inactive_replaced",
    "the refresh token of the latest response",
    undefined,
  ]);
});

const changes: readonly (readonly [what: string, changed: WorldOptions, loss: string, expected: string])[] = [
  ["person was removed", { people: [{ username: "bob" }] }, "person_gone", "a person who still exists"],
  [
    "password was changed",
    { people: [{ username: "alice", password: "new" }] },
    "password_changed",
    "a person whose password has not changed",
  ],
  [
    "scope was removed",
    { scopes: { other: "Other" } },
    "scope_removed",
    "a scope that the server and the client still have",
  ],
];

for (const [what, changed, loss, expected] of changes) {
  test(`inactive: a token whose ${what}`, () =>
    inTurn(options, async (open) => {
      const { access_token, refresh_token } = await tokensOf(
        await open(),
        { ...asked, scope: "read" },
        asBasic,
      );
      const world = await open(changed);
      for (const token of [access_token, refresh_token]) {
        assertEquals(picked(await adviceFor(world, token)), ["inactive_grant", expected, loss]);
      }
    }));
}

test("inactive: tokens after their client was removed", () =>
  inTurn(options, async (open) => {
    const before = await open();
    const form = { grant_type: "client_credentials", scope: "read" };
    const own = await readTokens(await before.post("/oauth2/token", form, asBasic));
    const persons = await tokensOf(before, asked, asBasic);
    const clients = bearerClients.filter(({ client_id }) => client_id !== "basic");
    const world = await open({ clients });
    for (const { access_token } of [own, persons]) {
      const { reason, received } = (await adviceFor(world, access_token, asApi))!;
      assertEquals([reason, received], ["inactive_grant", "client_gone"]);
    }
  }));

// Other runtimes verify by a function that a test cannot count. The server decides the same way on all of them.
const testOnDeno: (name: string, body: () => Promise<void>) => void = runtime === "deno"
  ? test
  : (name) => test.skip(name, "only Deno verifies ES256 by WebCrypto");

testOnDeno("inactive: without a journal, the server does not find out the cause", async () => {
  const { subtle } = crypto;
  const { verify } = subtle;
  const introspected = async (world: World, token: string) =>
    assertEquals(await (await introspect(world, token, asBasic)).json(), { active: false });
  const presented = async (world: World, token: string) =>
    assertEquals((await world.get("/userinfo", { authorization: `Bearer ${token}` })).status, 401);
  const countFor = async (use: typeof presented, more: object) => {
    const world = createWorld({ ...options, ...more });
    const { access_token } = await tokensOf(world, asked, asBasic);
    let count = 0;
    subtle.verify = (...args: unknown[]) => (count++, Reflect.apply(verify, subtle, args));
    try {
      const wrong = access_token.replace(/[^.]+$/, "A".repeat(86));
      await use(world, wrong);
    } finally {
      Reflect.deleteProperty(subtle, "verify");
      await world.close();
    }
    return count;
  };
  for (const use of [introspected, presented]) {
    assertEquals([await countFor(use, {}), await countFor(use, { journal: undefined })], [2, 1]);
  }
});

it("inactive: an ID token, a code and other texts", async ({ world, tokens: { id_token } }) => {
  assertEquals(picked(await adviceFor(world, id_token)), ["inactive_token_type", "typ at+jwt", "typ JWT"]);
  for (const text of ["x", "é", await world.code(asked)]) {
    assertEquals(picked(await adviceFor(world, text)), [
      "inactive_unknown",
      "a token of this server",
      undefined,
    ]);
  }
});

test("inactive: a token of another issuer, and one with another key of this issuer", async () => {
  const { privateKey } = await crypto.subtle.generateKey(
    { name: "ECDSA", namedCurve: "P-256" },
    true,
    ["sign", "verify"],
  ) as CryptoKeyPair;
  const otherKey = await crypto.subtle.exportKey("jwk", privateKey) as never;
  const [elsewhere, rotated] = [
    createWorld({ ...options, issuer: "https://other.test" }),
    createWorld({ ...options, signingKeys: [otherKey] }),
  ];
  const foreign = await tokensOf(elsewhere, asked, asBasic);
  const unsigned = await tokensOf(rotated, asked, asBasic);
  await inWorld({ ...options, signingKeys: [sampleKey] }, async (world) => {
    assertEquals(picked(await adviceFor(world, foreign.access_token)), [
      "inactive_other_issuer",
      "iss https://as.test",
      "iss https://other.test",
    ]);
    const { kid: wrongKid } = JSON.parse(atob(unsigned.access_token.split(".")[0]!));
    const own = await tokensOf(world, asked, asBasic);
    const { kid } = JSON.parse(atob(own.access_token.split(".")[0]!));
    assertEquals(picked(await adviceFor(world, unsigned.access_token)), [
      "inactive_signature",
      `kid ${kid} with ES256`,
      `kid ${wrongKid} with ES256`,
    ]);
    assertEquals((await userinfo(world, unsigned.access_token)).status, 401);
    const { reason, received } = world.lastRefusal()!;
    assertEquals([reason, received], ["token_unknown", `kid ${wrongKid} with ES256`]);
  });
  await Promise.all([elsewhere.close(), rotated.close()]);
});

test("inactive: hostile claims of an unsigned token stay harmless in the journal", () =>
  inWorld(options, async (world) => {
    const part = (value: unknown) => btoa(JSON.stringify(value)).replace(/=+$/, "");
    for (const iss of ["\u001b[2J", 1, {}, ["https://as.test"], "x".repeat(10_000)]) {
      const token = `${part({ alg: "none" })}.${part({ iss })}.x`;
      const advice = await adviceFor(world, token);
      assertEquals(advice?.reason, "inactive_other_issuer");
    }
    const foreign = `${part({ alg: "HS256", kid: "../../etc/passwd" })}.${
      part({ iss: "https://as.test" })
    }.x`;
    assertEquals((await adviceFor(world, foreign))?.received, "kid ../../etc/passwd with HS256");
  }));
