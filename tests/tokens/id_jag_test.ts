/** ID-JAGs at the server that accepts them (draft-ietf-oauth-identity-assertion-authz-grant, "ID-JAG"). */

import { assert, assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { assertTokens } from "../oauth/refusals.ts";
import { test } from "../runner.ts";
import { testInWorld } from "../test_in.ts";
import { basic, inWorld, type World } from "../world.ts";
import { assertRefused } from "./bearer.ts";
import { keys } from "./assertions.ts";
import { createProofKey, proof } from "./dpop.ts";
import {
  asAgent,
  forIdJags,
  forPeople,
  grantClients,
  type GrantTerms,
  idJag,
  jwtBearer,
  present,
  trusting,
} from "./jwt_grants.ts";

const resource = "https://mcp.example/mcp";

const it = testInWorld(trusting(forIdJags));

it("id_jag: gives an access token for the person, the client and the resource (ID-JAG §4.4)", async (world) => {
  const jwt = await idJag(world, { claims: { resource, scope: "chat.read chat.history" } });
  const tokens = await assertTokens(await present(world, jwt));
  // ID-JAG §4.4.3: no refresh token.
  assertEquals(Object.keys(tokens), ["access_token", "token_type", "expires_in", "scope"]);
  assertEquals(tokens["scope"], "chat.read chat.history");
  const { sub, client_id, aud, scope } = decodeJwt(`${tokens["access_token"]}`);
  assertEquals([sub, client_id, aud, scope], ["alice", "agent", resource, "chat.read chat.history"]);
});

it("id_jag: the server announces the grant and the profile (ID-JAG §7.2)", async (world) => {
  for (const form of ["oauth-authorization-server", "openid-configuration"]) {
    const metadata = await (await world.get(`/.well-known/${form}`)).json();
    assert(metadata.grant_types_supported.includes(jwtBearer));
    assertEquals(metadata.authorization_grant_profiles_supported, [
      "urn:ietf:params:oauth:grant-profile:id-jag",
    ]);
  }
});

type Claims = NonNullable<GrantTerms["claims"]>;

/** What differs from a valid JWT, and the reason of the refusal. */
const faultyClaims: Readonly<Record<string, readonly [Claims | ((world: World) => Claims), reason: string]>> =
  {
    "a long name in scope": [{ scope: `read ${"a".repeat(256)}` }, "jwt_grant_claim_unfit"],
    "a long resource": [{ resource: [resource, `${resource}/${"a".repeat(256)}`] }, "jwt_grant_claim_unfit"],
    "an act of this server": [
      ({ issuer }) => ({ act: { iss: issuer, sub: "agent" } }),
      "jwt_grant_actor_of_this_server",
    ],
    "another issuer": [{ iss: "https://evil.example" }, "jwt_grant_issuer_unknown"],
    "another aud": [{ aud: "https://elsewhere.example" }, "id_jag_audience"],
    "the token endpoint as aud": [({ issuer }) => ({ aud: `${issuer}/oauth2/token` }), "id_jag_audience"],
    "the issuer with a slash as aud": [({ issuer }) => ({ aud: `${issuer}/` }), "id_jag_audience"],
    "a second aud": [({ issuer }) => ({ aud: [issuer, "https://elsewhere.example"] }), "id_jag_audience"],
    "no client_id": [{ client_id: undefined }, "id_jag_claim_missing"],
    "the client_id of another client": [{ client_id: "other" }, "id_jag_client"],
    "an empty client_id": [{ client_id: "" }, "id_jag_claim_missing"],
    "an empty jti": [{ jti: "" }, "id_jag_claim_missing"],
    "no jti": [{ jti: undefined }, "id_jag_claim_missing"],
    "no iat": [{ iat: undefined }, "id_jag_claim_missing"],
    "no exp": [{ exp: undefined }, "jwt_grant_expired"],
    "no sub": [{ sub: undefined }, "jwt_grant_malformed"],
    "an unknown sub": [{ sub: "carol" }, "jwt_grant_person_unknown"],
    "an unknown cnf": [{ cnf: { "x5t#S256": "a" } }, "jwt_grant_binding"],
    authorization_details: [{ authorization_details: [{ type: "a" }] }, "jwt_grant_details"],
    "a relative resource": [{ resource: "/mcp" }, "id_jag_claim_malformed"],
    "an empty list as resource": [{ resource: [] }, "id_jag_claim_malformed"],
    "a list with a number as resource": [{ resource: [resource, 7] }, "id_jag_claim_malformed"],
    "a list as scope": [{ scope: ["read"] }, "id_jag_claim_malformed"],
    "an empty scope": [{ scope: "" }, "id_jag_claim_malformed"],
  };

const otherFaults: Readonly<Record<string, readonly [GrantTerms, reason: string]>> = {
  "the typ JWT": [{ header: { typ: "JWT" } }, "id_jag_type"],
  "no typ": [{ header: { typ: undefined } }, "id_jag_type"],
  "a foreign signature": [{ key: keys.foreign.privateKey }, "jwt_grant_signature"],
  "an unknown kid": [{ header: { kid: "other" } }, "jwt_grant_signature"],
};

async function requireInvalid(world: World, terms: GrantTerms, reason: string): Promise<void> {
  const jwt = await idJag(world, terms);
  await assertRefused(world, present(world, jwt), `400 invalid_grant ${reason}`);
  assert(!JSON.stringify(world.lastRefusal()).includes(jwt));
}

for (const [name, [claims, reason]] of Object.entries(faultyClaims)) {
  it(`id_jag: one with ${name} is refused as invalid_grant (ID-JAG §4.4.1)`, (world) =>
    requireInvalid(world, { claims: typeof claims === "function" ? claims(world) : claims }, reason));
}

for (const [name, [terms, reason]] of Object.entries(otherFaults)) {
  it(`id_jag: one with ${name} is refused as invalid_grant (ID-JAG §4.4.1)`, (world) =>
    requireInvalid(world, terms, reason));
}

it("id_jag: the names in scope have bounds, and the number of names has none (ID-JAG §4.4.1)", async (world) => {
  const scope = Array.from({ length: 40 }, (_, at) => `chat.read.${at}`).join(" ");
  const tokens = await assertTokens(await present(world, await idJag(world, { claims: { scope } })));
  assertEquals(tokens["scope"], scope);
});

it("id_jag: it is accepted once (RFC 7523 §3)", async (world) => {
  const jwt = await idJag(world);
  await assertTokens(await present(world, jwt));
  await assertRefused(world, present(world, jwt), "400 invalid_grant jwt_grant_replayed");
});

it("id_jag: another client cannot use it (ID-JAG §4.4.1)", async (world) => {
  const jwt = await idJag(world);
  await assertRefused(
    world,
    present(world, jwt, {}, basic("other", "other-secret")),
    "400 invalid_grant id_jag_client",
  );
  await assertTokens(await present(world, jwt));
});

test("id_jag: a public client needs an entry that says so (ID-JAG §8.1)", async () => {
  const terms = { claims: { client_id: "public" } };
  await inWorld(trusting(forIdJags), async (world) => {
    await assertRefused(
      world,
      present(world, await idJag(world, terms), { client_id: "public" }, {}),
      "400 unauthorized_client jwt_grant_public_client",
    );
  });
});

test("id_jag: a bound one needs a proof of its key, and gives a bound token (ID-JAG §8.6)", async () => {
  const [key, other] = [await createProofKey(), await createProofKey()];
  await inWorld(trusting(forIdJags), async (world) => {
    const jwt = await idJag(world, { claims: { cnf: { jkt: key.thumbprint } } });
    await assertRefused(world, present(world, jwt), "400 invalid_grant jwt_grant_key_unproven");
    await assertRefused(
      world,
      present(world, jwt, {}, { ...asAgent, ...await proof(other, world) }),
      "400 invalid_grant jwt_grant_key_differs",
    );
    const tokens = await assertTokens(
      await present(world, jwt, {}, { ...asAgent, ...await proof(key, world) }),
    );
    assertEquals(tokens["token_type"], "DPoP");
    assertEquals(decodeJwt(`${tokens["access_token"]}`)["cnf"], { jkt: key.thumbprint });
  });
});

test("id_jag: the client may ask for a part of the scope and of the resources (ID-JAG §4.4.1)", () =>
  inWorld(trusting({ ...forIdJags, scope: "chat.read chat.write" }), async (world) => {
    const claims = { scope: "chat.read chat.history", resource: [resource, "https://api.example/"] };
    const first = await assertTokens(await present(world, await idJag(world, { claims })));
    assertEquals(first["scope"], "chat.read");
    assertEquals(decodeJwt(`${first["access_token"]}`).aud, claims.resource);
    const second = await assertTokens(
      await present(world, await idJag(world, { claims }), { scope: "chat.read", resource }),
    );
    assertEquals(decodeJwt(`${second["access_token"]}`).aud, resource);
    for (const scope of ["chat.history", "chat.write"]) {
      await assertRefused(
        world,
        present(world, await idJag(world, { claims }), { scope }),
        "400 invalid_scope jwt_grant_scope_exceeded",
      );
    }
    const foreign = { resource: "https://elsewhere.example/" };
    await assertRefused(
      world,
      present(world, await idJag(world, { claims }), foreign),
      "400 invalid_target resource_not_granted",
    );
  }));

test("id_jag: an entry for other JWTs of the issuer does not accept it, and both can stand together", async () => {
  await inWorld(trusting(forPeople), async (world) => {
    await assertRefused(world, present(world, await idJag(world)), "400 invalid_grant id_jag_unexpected");
  });
  await inWorld(trusting(forPeople, { ...forIdJags, scope: "chat" }), async (world) => {
    assertEquals((await assertTokens(await present(world, await idJag(world))))["scope"], "chat");
    const typ = { header: { typ: "JWT" } };
    assertEquals((await assertTokens(await present(world, await idJag(world, typ))))["scope"], "read");
  });
});

test("id_jag: the person may be found by the email of the ID-JAG (ID-JAG §3)", async () => {
  const people = [{ username: "alice", claims: { email: "alice@shop.example" } }];
  const options = {
    ...trusting({ ...forIdJags, person: { email: "email" } }),
    people,
    clients: grantClients,
  };
  await inWorld({ ...options, login: "picker" }, async (world) => {
    const jwt = await idJag(world, { claims: { sub: "U019488227", email: "alice@shop.example" } });
    const tokens = await assertTokens(await present(world, jwt));
    assertEquals(decodeJwt(`${tokens["access_token"]}`).sub, "alice");
  });
});
