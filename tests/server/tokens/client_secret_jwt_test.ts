/** client_secret_jwt: an assertion that the client signs with its secret (OpenID Connect Core §9). */

import { assertEquals, assertMatch } from "@std/assert";
import { createHmac } from "node:crypto";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { basic, inWorld, redirectUri, type World } from "../../world.ts";
import { askAs, assertion, keys, requireAccepted, show } from "./assertions.ts";
import { assertRefused, encodePart, refusalOf } from "./bearer.ts";

const secret = "a secret of at least 32 octets: ä + %";
const { kid: _kid, ...publicKey } = { kid: "es", ...keys.es256.jwk };

const clients = [
  {
    client_id: "mac",
    client_secret: secret,
    token_endpoint_auth_method: "client_secret_jwt",
    redirect_uris: [redirectUri],
  },
  {
    client_id: "asserting",
    token_endpoint_auth_method: "private_key_jwt",
    jwks: { keys: [{ ...publicKey, kid: "es" }] },
    redirect_uris: [redirectUri],
  },
  { client_id: "basic", client_secret: secret, redirect_uris: [redirectUri] },
] as const;

interface Terms {
  readonly clientId?: string;
  readonly alg?: string;
  readonly hash?: string;
  readonly key?: string;
  readonly claims?: Readonly<Record<string, unknown>>;
}

let count = 0;

/** A valid assertion of the client `mac`, except for what a test changes. */
function sign({ issuer, clock }: World, { clientId = "mac", alg = "HS256", ...terms }: Terms = {}): string {
  const { hash = "sha256", key = secret, claims = {} } = terms;
  const times = { iat: clock.now, exp: clock.now + 60, jti: `mac-${count++}` };
  const start = `${encodePart({ alg })}.${
    encodePart({ iss: clientId, sub: clientId, aud: issuer, ...times, ...claims })
  }`;
  return `${start}.${createHmac(hash, key).update(start).digest("base64url")}`;
}

const it = testInWorld({ clients });

it("client_secret_jwt: works at each endpoint with client authentication (RFC 7523 §2.2)", async (world) => {
  await requireAccepted(askAs(world, sign(world)));
  const code = await world.code({ client_id: "mac" });
  await requireAccepted(world.redeem(code, { client_id: undefined, ...show(sign(world)) }));
  assertEquals(world.journal.at(-1)?.facts.clientAuth, "client_secret_jwt");
  await requireAccepted(world.post("/oauth2/introspect", show(sign(world), { token: "x" })));
  assertEquals((await world.post("/oauth2/revoke", show(sign(world), { token: "x" }))).status, 200);
});

const wrong: readonly (readonly [name: string, terms: Terms, reason: string])[] = [
  ["another secret", { key: `${secret}x` }, "assertion_signature"],
  ["HS512 instead of HS256", { alg: "HS512", hash: "sha512" }, "assertion_signature"],
  ["the issuer and another audience", { claims: { aud: ["https://as.test", "x"] } }, "assertion_audience"],
  ["another client's id", { clientId: "basic" }, "method_not_registered"],
];

it("client_secret_jwt: a wrong assertion is refused (RFC 7523 §2.2)", async (world) => {
  for (const [name, terms, reason] of wrong) {
    const refusal = await refusalOf(world, askAs(world, sign(world, terms)));
    assertEquals(refusal, [401, "invalid_client", reason], name);
  }
  assertEquals(JSON.stringify(world.journal).includes(secret), false);
});

// Each row: claims, and what the refusal says about them. The server's time is `now`.
const times: readonly (readonly [
  claims: (now: number) => Terms["claims"] & object,
  description: string,
  received: RegExp,
])[] = [
  [
    (now) => ({ exp: now - 10_800, iat: now - 10_860 }),
    "has expired",
    /^exp \d+, 3 h ago, iat \d+, 3 h 1 min ago$/,
  ],
  [(now) => ({ iat: now + 300 }), "is not valid yet", /^exp \d+, in 1 min, iat \d+, in 5 min$/],
  [() => ({ exp: undefined }), "has no valid exp", /^no exp$/],
  [() => ({ nbf: "soon" }), "has no valid nbf", /^nbf "soon"$/],
];

it("client_secret_jwt: the refusal says what is wrong with a time (RFC 7523 §3)", async (world) => {
  for (const [claims, description, received] of times) {
    await refusalOf(world, askAs(world, sign(world, { claims: claims(world.clock.now) })));
    const refusal = world.lastRefusal()!;
    assertEquals(refusal.description, `The client_assertion ${description}`);
    assertMatch(refusal.received!, received);
  }
});

it("client_secret_jwt: the client must not send the secret itself, even if it is right", async (world) => {
  const form = { grant_type: "client_credentials" };
  const asked = world.post("/oauth2/token", form, basic("mac", secret));
  await assertRefused(world, asked, "401 invalid_client method_not_registered");
});

it("client_secret_jwt: no public key stands in for a secret, and no secret for a key (RFC 8725 §3.1)", async (world) => {
  for (const key of [JSON.stringify(keys.es256.jwk), keys.es256.jwk.x!, secret]) {
    const answer = askAs(world, sign(world, { clientId: "asserting", key }));
    await assertRefused(world, answer, "401 invalid_client method_not_registered");
  }
  const signed = askAs(world, await assertion(world, { clientId: "mac" }));
  await assertRefused(world, signed, "401 invalid_client method_not_registered");
});

test("token_endpoint_auth_signing_alg: a client uses no other algorithm than the registered one (Registration §2)", () =>
  inWorld({
    clients: [{ ...clients[1], token_endpoint_auth_signing_alg: "ES256" }, {
      ...clients[1],
      client_id: "rsa",
      jwks: { keys: [{ ...keys.rs256.jwk, kid: "rs" } as JsonWebKey] },
      token_endpoint_auth_signing_alg: "PS256",
    }],
  }, async (world) => {
    await requireAccepted(askAs(world, await assertion(world)));
    const terms = { clientId: "rsa", header: { alg: "RS256", kid: "rs" }, key: keys.rs256.privateKey };
    const asked = askAs(world, await assertion(world, terms));
    await assertRefused(world, asked, "401 invalid_client assertion_algorithm");
    const { expected, received } = world.lastRefusal()!;
    assertEquals([expected, received], [
      "PS256, the client's token_endpoint_auth_signing_alg",
      "kid rs with RS256",
    ]);
  }));
