/** JWTs of trusted issuers as `subject_token` and `actor_token` of a token exchange (RFC 8693). */

import { assertEquals } from "@std/assert";
import { decodeJwt } from "jose";
import { assertTokens } from "../oauth/refusals.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, type Params, type World } from "../../world.ts";
import { assertRefused } from "./bearer.ts";
import { createProofKey } from "./dpop.ts";
import { actedBy, exchange, exchanger, orders, ownToken, typeOf } from "./exchange_world.ts";
import {
  forIdJags,
  forPeople,
  forWorkloads,
  type GrantOptions,
  idJag,
  idp,
  personJwt,
  platform,
  trusting,
  workloadJwt,
} from "./jwt_grants.ts";

const jwtType = { subject_token_type: typeOf("jwt") };
const gateway = exchanger("gateway", { from: [idp, platform], to: [orders] });
const options = { ...trusting(), clients: [gateway] };

const send = (world: World, jwt: string, changed: Params = {}) =>
  exchange(world, jwt, { ...jwtType, ...changed });

const it = testInWorld(options);

it("jwt exchange: a JWT about a person gives a token for this person (RFC 8693 §2.1)", async (world) => {
  const tokens = await assertTokens(await send(world, await personJwt(world)));
  assertEquals(Object.keys(tokens).sort(), [
    "access_token",
    "expires_in",
    "issued_token_type",
    "scope",
    "token_type",
  ]);
  // RFC 8693 §5: the token does not outlive the JWT.
  assertEquals([tokens["issued_token_type"], tokens["expires_in"]], [typeOf("access_token"), 300]);
  const { sub, aud, client_id } = decodeJwt(`${tokens["access_token"]}`);
  assertEquals([sub, aud, client_id], ["alice", orders, "gateway"]);
});

it("jwt exchange: the token of a JWT that ends within a second ends before it (RFC 8693 §5)", async (world) => {
  const exp = world.clock.now + 99;
  const tokens = await assertTokens(
    await send(world, await personJwt(world, { claims: { exp: exp + 0.5 } })),
  );
  assertEquals([decodeJwt(`${tokens["access_token"]}`).exp, tokens["expires_in"]], [exp, 99]);
});

test("jwt exchange: a JWT about a workload gives a token with its sub (RFC 8693 §2.1)", async () => {
  const trust = [forPeople, { ...forWorkloads, scope: "deploy test" }];
  await using world = createWorld({ ...trusting(...trust), clients: [gateway] });
  const tokens = await assertTokens(await send(world, await workloadJwt(world), { scope: "deploy" }));
  const { sub, scope } = decodeJwt(`${tokens["access_token"]}`);
  assertEquals([sub, scope], ["repo:octo/app:ref:refs/heads/main", "deploy"]);
  const more = send(world, await workloadJwt(world), { scope: "admin" });
  await assertRefused(world, more, "400 invalid_scope scope_not_granted");
});

test("jwt exchange: the JWT of a workload gives no openid, and that of a person does (RFC 8693 §2.1)", async () => {
  const scope = "deploy openid";
  const trust = [{ ...forPeople, scope }, { ...forWorkloads, scope }];
  await using world = createWorld({ ...trusting(...trust), clients: [{ ...gateway, scope }] });
  const asked = { scope: "openid" };
  await assertTokens(await send(world, await personJwt(world), asked));
  await assertRefused(
    world,
    send(world, await workloadJwt(world), asked),
    "400 invalid_scope scope_not_granted",
  );
});

it("jwt exchange: a JWT about a person is exchanged once, and a workload's often (RFC 7523 §3)", async (world) => {
  const [person, workload] = [await personJwt(world), await workloadJwt(world)];
  await assertTokens(await send(world, person));
  await assertRefused(world, send(world, person), "400 invalid_request jwt_grant_replayed");
  for (let index = 0; index < 2; index++) await assertTokens(await send(world, workload));
});

/** What differs from a valid JWT, and the reason of the refusal. */
const faulty: Readonly<Record<string, readonly [GrantOptions, reason: string]>> = {
  "an unknown issuer": [{ claims: { iss: "https://evil.example" } }, "exchanged_unknown"],
  "another audience": [{ claims: { aud: "https://elsewhere.example" } }, "jwt_grant_audience"],
  "an unknown person": [{ claims: { sub: "carol" } }, "jwt_grant_person_unknown"],
  "a key that is not proved": [{ claims: { cnf: { jkt: "a" } } }, "exchanged_key_unproven"],
  "an unknown key": [{ header: { kid: "other" } }, "jwt_grant_signature"],
};

for (const [name, [terms, reason]] of Object.entries(faulty)) {
  it(`jwt exchange: a JWT with ${name} is refused as invalid_request (RFC 8693 §2.2.2)`, async (world) => {
    const answer = await send(world, await personJwt(world, terms));
    await assertRefused(world, answer, `400 invalid_request ${reason}`);
  });
}

test("jwt exchange: a client needs the issuer in token_exchange.from (RFC 8693 §2.2.2)", async () => {
  const clients = [exchanger("gateway", { from: [platform], to: [orders] })];
  await using world = createWorld({ ...options, clients });
  const foreign = send(world, await personJwt(world));
  await assertRefused(world, foreign, "400 invalid_request exchange_origin_not_allowed");
  await assertTokens(await send(world, await workloadJwt(world)));
});

test("jwt exchange: a refused exchange does not use up the JWT of a workload", async () => {
  const clients = [gateway, exchanger("stranger", { to: [orders] })];
  const accounts = { account: { schema: {}, title: "Account", summary: "See the account" } };
  const once = trusting({ ...forWorkloads, once: true });
  await using world = createWorld({ ...once, clients, authorizationDetails: accounts });
  const jwt = await workloadJwt(world);
  const faulty = send(world, jwt, { authorization_details: "[{}]" });
  await assertRefused(world, faulty, "400 invalid_authorization_details details_type_missing");
  const foreign = exchange(world, jwt, jwtType, { as: "stranger" });
  await assertRefused(world, foreign, "400 invalid_request exchange_origin_not_allowed");
  await assertTokens(await send(world, jwt));
  await assertRefused(world, send(world, jwt), "400 invalid_request jwt_grant_replayed");
});

test("jwt exchange: an ID-JAG cannot be exchanged, because it is for its client (ID-JAG §4.4)", () =>
  inWorld({ ...trusting(forIdJags), clients: [gateway] }, async (world) => {
    const jwt = await idJag(world, { claims: { client_id: "gateway" } });
    await assertRefused(world, send(world, jwt), "400 invalid_request id_jag_exchanged");
  }));

test("jwt exchange: a workload acts for a person, and act names it with its issuer (RFC 8693 §4.1)", async () => {
  const clients = [exchanger("gateway", { from: [idp], to: [orders], actors: [platform] })];
  await using world = createWorld({ ...options, clients });
  const actor = actedBy(await workloadJwt(world), "jwt");
  const tokens = await assertTokens(await send(world, await personJwt(world), actor));
  const { sub, act } = decodeJwt(`${tokens["access_token"]}`);
  assertEquals([sub, act], ["alice", { sub: "repo:octo/app:ref:refs/heads/main", iss: platform }]);
  const elsewhere = await workloadJwt(world, { claims: { aud: "https://elsewhere.example" } });
  const refused = send(world, await personJwt(world), actedBy(elsewhere, "jwt"));
  await assertRefused(world, refused, "400 invalid_request jwt_grant_audience");
});

test("jwt exchange: a JWT is not used up as actor_token, and one that was used up may still be one (RFC 8693 §2.1)", async () => {
  const clients = [exchanger("gateway", { from: [idp, platform], to: [orders], actors: [idp] })];
  await using world = createWorld({ ...options, clients });
  const jwt = await personJwt(world);
  const act = async () => await send(world, await workloadJwt(world), actedBy(jwt, "jwt"));
  for (let index = 0; index < 2; index++) await assertTokens(await act());
  await assertTokens(await send(world, jwt, actedBy(await personJwt(world), "jwt")));
  await assertTokens(await act());
});

test("jwt exchange: a chain of more than ten actors is refused, and the JWT is not used up (RFC 8693 §4.1)", async () => {
  const clients = [exchanger("gateway", { from: [idp], to: [orders], actors: [platform] })];
  await using world = createWorld({ ...options, clients });
  let act: object = { sub: "first" };
  for (let at = 2; at <= 10; at++) act = { sub: `actor ${at}`, act };
  const jwt = await personJwt(world, { claims: { act } });
  const actor = actedBy(await workloadJwt(world), "jwt");
  await assertRefused(world, send(world, jwt, actor), "400 invalid_request exchange_actors_too_many");
  const alone = [exchanger("gateway", { from: [idp], to: [orders] })];
  await inWorld({ ...options, clients: alone, clock: world.clock }, async (other) => {
    await assertTokens(await send(other, jwt));
  });
  const nine = await personJwt(world, { claims: { act: (act as { readonly act: object }).act } });
  await assertTokens(await send(world, nine, actor));
});

it("jwt exchange: an actor whom the JWT names is one of its issuer (RFC 8693 §4.1)", async (world) => {
  const jwt = await workloadJwt(world, { claims: { act: { sub: "gateway" } } });
  const tokens = await assertTokens(await send(world, jwt));
  assertEquals(decodeJwt(`${tokens["access_token"]}`)["act"], { iss: platform, sub: "gateway" });
});

test("jwt exchange: may_act without iss names no actor of a third issuer (RFC 8693 §4.4)", async () => {
  const clients = [
    exchanger("gateway", { from: [platform, idp], to: [orders], actors: [platform, idp] }),
    exchanger("delegate", { from: [idp], to: [orders] }),
  ];
  const trust = [forPeople, { ...forWorkloads, subjects: ["*"] }];
  await using world = createWorld({ ...trusting(...trust), clients });
  const ask = async (may_act: object, issued: Promise<string>) => {
    const jwt = await personJwt(world, { claims: { may_act } });
    const actor = actedBy(await issued, "jwt");
    const answer = await send(world, jwt, actor);
    return answer.status === 200 ? "tokens" : world.lastRefusal()?.reason;
  };
  const agent = { claims: { sub: "bob" } };
  assertEquals(await ask({ sub: "bob" }, personJwt(world, agent)), "tokens");
  const workload = { claims: { sub: "builder" } };
  assertEquals(await ask({ sub: "builder" }, workloadJwt(world, workload)), "may_act_differs");
  const named = { iss: platform, sub: "builder" };
  assertEquals(await ask(named, workloadJwt(world, workload)), "tokens");
  // One without iss may be of this server, like the client itself.
  const alone = async (may_act: object) =>
    (await exchange(world, await personJwt(world, { claims: { may_act } }), jwtType, { as: "delegate" }))
      .status;
  assertEquals([await alone({ sub: "delegate" }), await alone({ sub: "gateway" })], [200, 400]);
});

it("jwt exchange: a JWT whose exp has just passed gives no token, which would have expired (RFC 8693 §5)", async (world) => {
  const endingIn = async (seconds: number) =>
    await send(world, await workloadJwt(world, { claims: { exp: world.clock.now + seconds } }));
  for (const seconds of [0.5, 0, -30]) {
    await assertRefused(world, endingIn(seconds), "400 invalid_request exchanged_at_its_end");
  }
  assertEquals((await assertTokens(await endingIn(1)))["expires_in"], 1);
});

test("jwt exchange: a bound JWT for this server needs its key, because it is for no client (RFC 7800 §3.1)", async () => {
  const key = await createProofKey();
  const own = ["https://as.test", "https://as.test/oauth2/token"];
  const audiences = [...own, "https://gateway.test"];
  const terms = { from: [idp], to: [orders], without_proof: audiences };
  const listed = { ...forPeople, audiences };
  const trusted = { ...trusting(listed), clients: [exchanger("gateway", terms)] };
  await using world = createWorld(trusted);
  const bound = (aud: string) => personJwt(world, { claims: { aud, cnf: { jkt: key.thumbprint } } });
  for (const aud of own) {
    await assertRefused(world, send(world, await bound(aud)), "400 invalid_request exchanged_key_unproven");
    assertEquals(world.lastRefusal()?.remedy, undefined);
  }
  await assertTokens(await send(world, await bound("https://gateway.test")));
});

test("jwt exchange: the type jwt is for own access tokens and for JWTs of trusted issuers (RFC 8693 §3)", async () => {
  const terms = { from: [idp, "gateway"], to: [orders] };
  await using world = createWorld({ ...trusting(), clients: [exchanger("gateway", terms)] });
  await assertTokens(await send(world, await personJwt(world)));
  await assertTokens(await send(world, await ownToken(world, "gateway")));
});
