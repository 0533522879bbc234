/** What a server can demand of one client: algorithms, the form of an audience, the life of a code, bound tokens. */

import { assertEquals, assertMatch, assertThrows } from "@std/assert";
import { type ClientMetadata, createServer } from "../../../src/mod.ts";
import { test } from "../../runner.ts";
import { createWorld, inWorld, redirectUri, type WorldOptions } from "../../world.ts";
import { askAs, assertingClients, assertion, keys, requireAccepted, show } from "./assertions.ts";
import { assertRefused } from "./bearer.ts";
import { createProofKey, proof } from "./dpop.ts";
import { idp, personJwt, present, trusting } from "./jwt_grants.ts";

const changed = (id: string, members: Partial<ClientMetadata>): WorldOptions => ({
  clients: assertingClients.map((client) => client.client_id === id ? { ...client, ...members } : client),
});

const signedBy = (alg: string) => ({
  clientId: "rsa",
  key: keys.rs256.privateKey,
  header: { alg, kid: "rs" },
});

const narrowed = ["PS256", "ES256", "EdDSA"] as const;

const rows = [
  ["the server", { clients: assertingClients, acceptedAlgorithms: narrowed }],
  ["the client", changed("rsa", { accepted_signing_algs: narrowed })],
] as const;
for (const [what, options] of rows) {
  test(`accepted algorithms: those of ${what} refuse an assertion with RS256 (FAPI 2.0 §5.4.1)`, () =>
    inWorld(options, async (world) => {
      const asked = askAs(world, await assertion(world, signedBy("RS256")));
      await assertRefused(world, asked, "401 invalid_client assertion_signature");
      await requireAccepted(askAs(world, await assertion(world)));
    }));
}

test("accepted algorithms: those of the server refuse a JWT of a trusted issuer with RS256 (FAPI 2.0 §5.4.1)", () => {
  const jwks = { keys: [keys.rs256.jwk, keys.es256.jwk].map(({ alg: _, ...jwk }) => jwk) };
  const options = trusting({ issuer: idp, jwks, person: { sub: "sub" } });
  return inWorld({ ...options, acceptedAlgorithms: narrowed }, async (world) => {
    const rsa = { header: { alg: "RS256", kid: undefined }, key: keys.rs256.privateKey };
    const signed = present(world, await personJwt(world, rsa));
    await assertRefused(world, signed, "400 invalid_grant jwt_grant_signature");
    await requireAccepted(present(world, await personJwt(world, { header: { kid: undefined } })));
  });
});

test("accepted algorithms: those of the client refuse its DPoP proof, and no other client's (FAPI 2.0 §5.4.1)", async () => {
  const clients = [
    { client_id: "public", redirect_uris: [redirectUri], accepted_signing_algs: narrowed },
    { client_id: "other", redirect_uris: [redirectUri] },
  ];
  await using world = createWorld({ clients });
  const key = await createProofKey("RS256");
  const ask = async (client_id: string) =>
    world.redeem(await world.code({ client_id }), { client_id }, await proof(key, world));
  await assertRefused(world, ask("public"), "400 invalid_dpop_proof dpop_algorithm");
  assertEquals((await ask("other")).status, 200);
});

test("accepted algorithms: the metadata lists no other, and the server signs with the first (RFC 8414 §2)", async () => {
  const server = createServer({ acceptedAlgorithms: ["ES256", "EdDSA"], clients: [], people: [] });
  const url = `${server.issuer}/.well-known/openid-configuration`;
  const metadata = await (await server.fetch(new Request(url))).json();
  const lists = Object.entries(metadata).filter(([name]) => /_signing_alg_values_supported$/.test(name));
  assertEquals(lists.length > 4, true);
  for (const [name, values] of lists) {
    assertEquals([name, (values as string[]).filter((alg) => /^[RP]S/.test(alg))], [name, []]);
  }
  assertEquals(metadata.id_token_signing_alg_values_supported, ["ES256"]);
  const { keys: published } = await (await server.fetch(new Request(metadata.jwks_uri))).json();
  assertEquals(published.map(({ alg }: { alg: string }) => alg), ["ES256"]);
  await server.close();
});

const cases = [
  ["alg", { alg: "RS256", clients: [] }],
  ["a client", { clients: [{ client_id: "app", id_token_signed_response_alg: "RS256" }] }],
] as const;
for (const [name, options] of cases) {
  test(`accepted algorithms: the start refuses another one of ${name} (RFC 8414 §2)`, () => {
    const { message } = assertThrows(() =>
      createServer({ ...options, people: [], acceptedAlgorithms: ["ES256"] })
    ) as Error;
    assertMatch(message, /acceptedAlgorithms must have RS256/);
  });
}

test("private_key_jwt: with issuer_string, the audience is the issuer as a string only (FAPI 2.0 §5.3.2.1-8)", () =>
  inWorld(changed("asserting", { client_assertion_audience: "issuer_string" }), async (world) => {
    await requireAccepted(askAs(world, await assertion(world)));
    for (const aud of [[world.issuer], [world.issuer, "https://b.example"], `${world.issuer}/oauth2/token`]) {
      const asked = askAs(world, await assertion(world, { claims: { aud } }));
      await assertRefused(world, asked, "401 invalid_client assertion_audience");
    }
    assertMatch(`${world.lastRefusal()?.expected}`, /as a string$/);
    // Another client may send a list of one.
    await requireAccepted(
      askAs(world, await assertion(world, { clientId: "older", claims: { aud: [world.issuer] } })),
    );
  }));

test("authorization code: a client can have less time for it than others (FAPI 2.0 §5.3.2.1-11)", () =>
  inWorld(changed("asserting", { authorization_code_lifetime: 60 }), async (world) => {
    const redeem = async (code: string) =>
      world.redeem(code, { client_id: undefined, ...show(await assertion(world)) });
    const [early, late] = [
      await world.code({ client_id: "asserting" }),
      await world.code({ client_id: "asserting" }),
    ];
    const ofOthers = await world.code();
    world.clock.advance(59);
    assertEquals((await redeem(early)).status, 200);
    world.clock.advance(1);
    await assertRefused(world, redeem(late), "400 invalid_grant code_expired");
    assertEquals((await world.redeem(ofOthers)).status, 200);
  }));

test("bound tokens: a client can be refused tokens without any proof (FAPI 2.0 §5.3.2.1-4)", () =>
  inWorld(changed("asserting", { require_bound_access_tokens: true }), async (world) => {
    await assertRefused(world, askAs(world, await assertion(world)), "400 invalid_request proof_missing");
    const form = { grant_type: "client_credentials", ...show(await assertion(world)) };
    const answer = await world.post("/oauth2/token", form, await proof(await createProofKey(), world));
    assertEquals([answer.status, (await answer.json()).token_type], [200, "DPoP"]);
  }));

test("bound tokens: the start refuses a client that needs a proof that the server does not accept", () => {
  const { message } = assertThrows(() =>
    createServer({
      dpop: false,
      clients: [{ client_id: "app", require_bound_access_tokens: true }],
      people: [],
    })
  ) as Error;
  assertMatch(message, /clients\[0\]\.require_bound_access_tokens must be left out/);
});
