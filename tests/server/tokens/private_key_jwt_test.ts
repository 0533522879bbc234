/** private_key_jwt: an assertion signed with the client's key, for this server only, once. */

import { assert, assertEquals } from "@std/assert";
import { createHmac } from "node:crypto";
import { memoryStore, type Store } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld } from "../../world.ts";
import {
  askAs,
  assertingClients,
  assertion,
  type AssertionOptions,
  assertionType,
  keys,
  requireAccepted,
  requireRefused,
  show,
} from "./assertions.ts";
import { assertRefused, encodePart, refusalOf } from "./bearer.ts";

const options = { clients: assertingClients };

const it = testInWorld(options);

it("private_key_jwt: works with each kind of key at each endpoint with client authentication (RFC 7523 §2.2)", async (world) => {
  const kinds = [
    ["asserting", { alg: "ES256", kid: "es" }, keys.es256],
    ["rsa", { alg: "RS256", kid: "rs" }, keys.rs256],
    ["ed", { alg: "EdDSA", kid: "ed" }, keys.edDsa],
  ] as const;
  for (const [clientId, header, { privateKey: key }] of kinds) {
    const make = () => assertion(world, { clientId, header, key });
    await requireAccepted(askAs(world, await make()));
    assertEquals((await world.post("/oauth2/revoke", show(await make(), { token: "x" }))).status, 200);
    await requireAccepted(world.post("/oauth2/introspect", show(await make(), { token: "x" })));
  }
});

it("private_key_jwt: a different client_id beside it is refused (RFC 7523 §3.2)", async (world) => {
  await requireAccepted(askAs(world, await assertion(world), { client_id: "asserting" }));
  const [status] = await refusalOf(world, askAs(world, await assertion(world), { client_id: "rsa" }));
  assert(status === 400 || status === 401);
});

test("private_key_jwt: the refusal of a wrong signature names the keys of the client and the key of the assertion", () => {
  const jwks = { keys: [{ ...keys.es256.jwk, kid: "es" } as JsonWebKey, keys.edDsa.jwk] };
  return inWorld({ clients: [{ ...assertingClients[0]!, jwks }] }, async (world) => {
    for (const [kid, received] of [["new", "kid new with ES256"], [undefined, "kid left out with ES256"]]) {
      const sent = await assertion(world, { header: { kid }, key: keys.foreign.privateKey });
      await requireRefused(world, askAs(world, sent), `${kid}`);
      const refusal = world.lastRefusal()!;
      assertEquals([refusal.reason, refusal.expected, refusal.received], [
        "assertion_signature",
        "a key of the client's jwks (kid es, OKP without kid), and one of RS256, PS256, ES256, EdDSA",
        received,
      ]);
    }
  });
});

it("private_key_jwt: a wrong assertion type, or one parameter without the other, is refused (RFC 7523 §2.2)", async (world) => {
  const form = { grant_type: "client_credentials", client_id: "asserting" };
  const client_assertion = await assertion(world);
  const halves = [
    { client_assertion },
    { client_assertion_type: assertionType },
    { client_assertion, client_assertion_type: "urn:ietf:params:oauth:client-assertion-type:saml2-bearer" },
    { client_assertion, client_assertion_type: assertionType.toUpperCase() },
    show("a.b.c"),
    show("A".repeat(100_000)),
  ];
  for (const half of halves) {
    const [status, error] = await refusalOf(world, world.post("/oauth2/token", { ...form, ...half }));
    assert(status === 400 || status === 401 || status === 413, `${status}`);
    assert(error === "invalid_client" || error === "invalid_request", `${error}`);
  }
});

it("private_key_jwt: a text that is no JWT is no signature of the client (RFC 7523 §3)", async (world) => {
  for (const text of ["text", "a.b.c", `${encodePart({})}.e30.`, `${encodePart({ alg: 1 })}.e30.`]) {
    await requireRefused(world, askAs(world, text, { client_id: "asserting" }), text);
    assertEquals([world.lastRefusal()?.reason, world.journal.at(-1)?.facts.clientAuth], [
      "assertion_signature",
      "private_key_jwt",
    ], text);
  }
  assertEquals(world.lastRefusal()?.received, "text that is not a JWT");
});

it("private_key_jwt: a request object is no assertion (RFC 9101 §10.8)", async (world) => {
  const requireReason = async (terms: AssertionOptions, reason: string, received: string) => {
    await requireRefused(world, askAs(world, await assertion(world, terms)), received);
    assertEquals([world.lastRefusal()?.reason, world.lastRefusal()?.received], [reason, received]);
  };
  for (const typ of ["oauth-authz-req+jwt", "application/OAuth-Authz-Req+JWT"]) {
    await requireReason({ header: { typ } }, "assertion_type_foreign", typ);
  }
  const requested = { response_type: "code", redirect_uri: "https://app.example/cb", code_challenge: null };
  for (const [name, value] of Object.entries(requested)) {
    await requireReason({ claims: { [name]: value } }, "assertion_for_authorization", name);
  }
  await requireAccepted(askAs(world, await assertion(world, { claims: { scope: "openid", state: "s" } })));
});

it("private_key_jwt: the audience must be this issuer only (RFC 10070)", async (world) => {
  const token = `${world.issuer}/oauth2/token`;
  const wrong = [
    token,
    `${world.issuer}/`,
    "HTTPS://AS.TEST",
    [world.issuer, token],
    [world.issuer, world.issuer],
    [[world.issuer]],
    undefined,
  ];
  for (const aud of wrong) {
    const answer = askAs(world, await assertion(world, { claims: { aud } }));
    await requireRefused(world, answer, `aud ${JSON.stringify(aud)}`);
  }
  await requireAccepted(askAs(world, await assertion(world, { claims: { aud: [world.issuer] } })));
});

for (const issuer of ["https://as.test/tenant", "https://as.test/"]) {
  test(`private_key_jwt: a client registered for it may name the endpoint as audience, issuer ${issuer} (RFC 10070 §4)`, () =>
    inWorld({ ...options, issuer }, async (world) => {
      const base = issuer.replace(/\/$/, "");
      const make = (aud: unknown) => assertion(world, { clientId: "older", claims: { aud } });
      await requireAccepted(askAs(world, await make(issuer)));
      await requireAccepted(askAs(world, await make(`${base}/oauth2/token`)));
      const revoked = show(await make(`${base}/oauth2/revoke`), { token: "x" });
      assertEquals((await world.post("/oauth2/revoke", revoked)).status, 200);
      const wrong = [
        `${base}/oauth2/revoke`,
        `${base}/oauth2/token?x=1`,
        `${base}/OAUTH2/token`,
        "https://elsewhere.example/oauth2/token",
        [base, `${base}/oauth2/token`],
      ];
      for (const aud of wrong) {
        await requireRefused(world, askAs(world, await make(aud)), JSON.stringify(aud));
      }
    }));
}

it("private_key_jwt: iss and sub must be the client, exp must be near, and jti is required (RFC 7523 §2.2)", async (world) => {
  const { now } = world.clock;
  const wrong: readonly Readonly<Record<string, unknown>>[] = [
    { iss: undefined },
    { iss: ["asserting"] },
    { iss: { toString: null } },
    { sub: "rsa" },
    { exp: undefined },
    { exp: String(now + 60) },
    { exp: now - 60 },
    { exp: now + 3661 },
    { exp: 1e308 },
    { iat: now + 61 },
    { iat: String(now) },
    { nbf: now + 61 },
    { nbf: -1 },
    { jti: "" },
    { jti: ["x"] },
  ];
  for (const claims of wrong) {
    await requireRefused(world, askAs(world, await assertion(world, { claims })), JSON.stringify(claims));
  }
  // A client_id in the form does not replace a claim.
  for (const sub of [undefined, ["asserting"]]) {
    const named = askAs(world, await assertion(world, { claims: { sub } }), { client_id: "asserting" });
    await assertRefused(world, named, "401 invalid_client assertion_subject");
  }
  await requireAccepted(
    askAs(world, await assertion(world, { claims: { iat: undefined, exp: now + 60.5 } })),
  );
  for (const claims of [{ iat: now + 60, nbf: now + 60 }, { exp: now - 59 }, { exp: now + 3660 }]) {
    await requireAccepted(askAs(world, await assertion(world, { claims })));
  }
});

it("private_key_jwt: only the client's keys and their algorithms are accepted (RFC 7523 §2.2)", async (world) => {
  const { privateKey } = keys.foreign;
  const wrong = [
    { key: privateKey },
    { header: { kid: "unknown", jwk: keys.foreign.jwk }, key: privateKey },
    { header: { jku: "https://evil.example/jwks" }, key: privateKey },
    { clientId: "rsa", header: { kid: "rs" } },
    { header: { alg: "RS256" }, key: keys.rs256.privateKey },
  ];
  for (const [index, terms] of wrong.entries()) {
    await requireRefused(world, askAs(world, await assertion(world, terms)), `${index}`);
  }
  const [, payload] = (await assertion(world)).split(".");
  for (const alg of ["none", "HS256"]) {
    const start = `${encodePart({ alg, kid: "es" })}.${payload}`;
    for (const secret of [keys.es256.jwk.x!, JSON.stringify(keys.es256.jwk)]) {
      const end = createHmac("sha256", secret).update(start).digest("base64url");
      await requireRefused(world, askAs(world, `${start}.${end}`), alg);
    }
    await requireRefused(world, askAs(world, `${start}.`), alg);
  }
  await requireAccepted(askAs(world, await assertion(world, { header: { kid: undefined } })));
});

test("private_key_jwt: the key with the kid counts, also beside one without kid (RFC 7515 §4.1.4)", async () => {
  const [client] = assertingClients;
  const [own] = client!.jwks!.keys;
  const unnamed = keys.foreign;
  for (const jwks of [{ keys: [unnamed.jwk, own!] }, { keys: [own!, unnamed.jwk] }]) {
    await using world = createWorld({ clients: [{ ...client!, jwks }] });
    await requireAccepted(askAs(world, await assertion(world)));
    // The other key is for JWTs with another kid.
    const other = { header: { kid: "other" }, key: unnamed.privateKey };
    await requireAccepted(askAs(world, await assertion(world, other)));
    // Both keys could verify a JWT without kid.
    const ambiguous = askAs(world, await assertion(world, { header: { kid: undefined } }));
    await requireRefused(world, ambiguous, "no kid");
  }
});

test("private_key_jwt: of several keys with one kid, that of the right type and use counts (FAPI 2.0 §5.4.3)", async () => {
  const [client] = assertingClients;
  const [own] = client!.jwks!.keys;
  const others = [
    { ...keys.rs256.jwk, kid: "es" },
    { ...keys.edDsa.jwk, kid: "es" },
    { ...keys.foreign.jwk, kid: "es", use: "enc" },
    { ...keys.foreign.jwk, kid: "es", use: "enc", alg: "ECDH-ES" },
  ];
  for (const jwks of [{ keys: [...others, own!] }, { keys: [own!, ...others] }]) {
    await using world = createWorld({ clients: [{ ...client!, jwks }] });
    await requireAccepted(askAs(world, await assertion(world)));
    const foreign = await assertion(world, { key: keys.foreign.privateKey });
    await requireRefused(world, askAs(world, foreign), "a key that does not verify");
    const rsa = { header: { alg: "RS256" }, key: keys.rs256.privateKey };
    await requireAccepted(askAs(world, await assertion(world, rsa)));
  }
});

it("private_key_jwt: a JWT for another purpose, or with a critical extension, is refused (RFC 10070 §4)", async (world) => {
  for (const typ of ["JWT", "application/client-authentication+jwt", undefined]) {
    await requireAccepted(askAs(world, await assertion(world, { header: { typ } })));
  }
  for (const typ of ["at+jwt", "x", ""]) {
    await requireRefused(world, askAs(world, await assertion(world, { header: { typ } })), typ);
  }
  const unknown = await assertion(world, { header: { crit: ["unknown"], unknown: 1 } });
  await requireRefused(world, askAs(world, unknown), "crit");
});

test("private_key_jwt: a redemption that another request overtakes uses its assertion once (OpenID Connect Core §9)", async () => {
  const memory = memoryStore();
  let overtaken = 0;
  const put: Store["put"] = (kind, ...rest) =>
    kind.name === "grant" && overtaken-- > 0 ? Promise.resolve(undefined) : memory.put(kind, ...rest);
  await inWorld({ ...options, store: { ...memory, put } }, async (world) => {
    const client_id = "asserting";
    const code = await world.code({ client_id });
    overtaken = 1;
    await requireAccepted(world.redeem(code, show(await assertion(world), { client_id })));
    assertEquals(overtaken, -1);
  });
});
