/** ID-JAGs at the server that accepts them (draft-ietf-oauth-identity-assertion-authz-grant, "ID-JAG"). */

import { assert, assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { assertTokens } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, type World } from "../../world.ts";
import { assertRefused, refusalOf } from "./bearer.ts";
import {
  forIdJags,
  forPeople,
  type GrantOptions,
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

type Claims = NonNullable<GrantOptions["claims"]>;

/** What differs from a valid JWT, and the reason of the refusal. */
const faultyClaims: Readonly<Record<string, readonly [Claims | ((world: World) => Claims), reason: string]>> =
  {
    "a long name in scope": [{ scope: `read ${"a".repeat(256)}` }, "jwt_grant_claim_unfit"],
    "a long resource": [{ resource: [resource, `${resource}/${"a".repeat(256)}`] }, "jwt_grant_claim_unfit"],
    "another aud": [{ aud: "https://elsewhere.example" }, "id_jag_audience"],
    "the token endpoint as aud": [({ issuer }) => ({ aud: `${issuer}/oauth2/token` }), "id_jag_audience"],
    "no client_id": [{ client_id: undefined }, "id_jag_claim_missing"],
    "the client_id of another client": [{ client_id: "other" }, "id_jag_client"],
    "an empty jti": [{ jti: "" }, "id_jag_claim_missing"],
    "no iat": [{ iat: undefined }, "id_jag_claim_missing"],
    "the cnf of a key that is not proved": [{ cnf: { jkt: "a" } }, "jwt_grant_key_unproven"],
    "a relative resource": [{ resource: "/mcp" }, "id_jag_claim_malformed"],
    "an empty list as resource": [{ resource: [] }, "id_jag_claim_malformed"],
    "a list with a number as resource": [{ resource: [resource, 7] }, "id_jag_claim_malformed"],
    "a list as scope": [{ scope: ["read"] }, "id_jag_claim_malformed"],
    "an empty scope": [{ scope: "" }, "id_jag_claim_malformed"],
  };

it("id_jag: one with a wrong claim is refused as invalid_grant (ID-JAG §4.4.1)", async (world) => {
  for (const [name, [claims, reason]] of Object.entries(faultyClaims)) {
    const jwt = await idJag(world, { claims: typeof claims === "function" ? claims(world) : claims });
    assertEquals(await refusalOf(world, present(world, jwt)), [400, "invalid_grant", reason], name);
  }
});

it("id_jag: the typ JWT, or no typ, is refused (ID-JAG §4.4.1)", async (world) => {
  for (const typ of ["JWT", undefined]) {
    const jwt = await idJag(world, { header: { typ } });
    await assertRefused(world, present(world, jwt), "400 invalid_grant id_jag_type");
  }
});

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

it("id_jag: a public client needs an entry that says so (ID-JAG §8.1)", async (world) => {
  const jwt = await idJag(world, { claims: { client_id: "public" } });
  const answer = present(world, jwt, { client_id: "public" }, {});
  await assertRefused(world, answer, "400 unauthorized_client jwt_grant_public_client");
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
      const more = present(world, await idJag(world, { claims }), { scope });
      await assertRefused(world, more, "400 invalid_scope jwt_grant_scope_exceeded");
    }
    const foreign = { resource: "https://elsewhere.example/" };
    const elsewhere = present(world, await idJag(world, { claims }), foreign);
    await assertRefused(world, elsewhere, "400 invalid_target resource_not_granted");
  }));

test("id_jag: an entry for other JWTs of the issuer does not accept it, and both can stand together", async () => {
  await inWorld(trusting(forPeople), async (world) => {
    await assertRefused(world, present(world, await idJag(world)), "400 invalid_grant id_jag_unexpected");
  });
  await using world = createWorld(trusting(forPeople, { ...forIdJags, scope: "chat" }));
  assertEquals((await assertTokens(await present(world, await idJag(world))))["scope"], "chat");
  const typ = { header: { typ: "JWT" } };
  assertEquals((await assertTokens(await present(world, await idJag(world, typ))))["scope"], "read");
});
