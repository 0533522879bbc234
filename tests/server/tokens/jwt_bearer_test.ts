/** JWT authorization grants: which JWTs of trusted issuers give which tokens (RFC 7523, RFC 10070). */

import { assert, assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { decodeJwt } from "jose";
import { assertTokens } from "../oauth/refusals.ts";
import { inTurn } from "../../in_turn.ts";
import { test } from "../../runner.ts";
import { testInWorld } from "../../test_in_world.ts";
import { createWorld, inWorld, type Params, type World } from "../../world.ts";
import { keys } from "./assertions.ts";
import { asApi, assertRefused, refusalOf } from "./bearer.ts";
import { createProofKey, proof } from "./dpop.ts";
import {
  asAgent,
  forPeople,
  forWorkloads,
  grantClients,
  type GrantOptions,
  idp,
  idpKeys,
  jwtBearer,
  personJwt,
  platformKeys,
  present,
  trusting,
  workloadJwt,
} from "./jwt_grants.ts";

async function claimsOf(answer: Promise<Response>) {
  const tokens = await assertTokens(await answer);
  return decodeJwt(`${tokens["access_token"]}`);
}

async function introspect(world: World, token: unknown) {
  return await (await world.post("/oauth2/introspect", { token: `${token}` }, asApi)).json();
}

const it = testInWorld(trusting());

it("jwt_bearer: a JWT about a person gives an access token for this person, and no other token (RFC 7523 §2.1)", async (world) => {
  const auth_time = world.clock.now - 60;
  const jwt = await personJwt(world, { claims: { auth_time, amr: ["mfa"] } });
  const tokens = await assertTokens(await present(world, jwt, { scope: "read openid" }));
  assertEquals(Object.keys(tokens), ["access_token", "token_type", "expires_in", "scope"]);
  assertEquals([tokens["token_type"], tokens["scope"]], ["Bearer", "read openid"]);
  const claims = decodeJwt(`${tokens["access_token"]}`);
  assertEquals(
    [claims.iss, claims.sub, claims["client_id"], claims.aud, claims["auth_time"], claims["amr"]],
    [world.issuer, "alice", "agent", world.issuer, auth_time, ["mfa"]],
  );
  assertEquals((await introspect(world, tokens["access_token"])).active, true);
  const userinfo = await world.get("/userinfo", { authorization: `Bearer ${tokens["access_token"]}` });
  assertEquals((await userinfo.json()).sub, "alice");
});

it("jwt_bearer: auth_time and amr of another type are left out of the token (RFC 9068 §2.2.1)", async (world) => {
  const ask = async (claims: Readonly<Record<string, unknown>>) => {
    const { auth_time, amr } = await claimsOf(present(world, await personJwt(world, { claims })));
    return [auth_time, amr];
  };
  for (const auth_time of ["1700000000", null, true]) {
    assertEquals(await ask({ auth_time }), [undefined, undefined]);
  }
  assertEquals(await ask({ amr: ["pwd", 7, null, { a: 1 }] }), [undefined, ["pwd"]]);
  for (const amr of ["pwd", 7, [7]]) assertEquals(await ask({ amr }), [undefined, undefined]);
});

it("jwt_bearer: a JWT about a workload gives a token whose sub is that of the JWT (RFC 7523 §3)", async (world) => {
  const terms = { scope: "deploy", resource: "https://api.example/" };
  const tokens = await assertTokens(await present(world, await workloadJwt(world), terms));
  assertEquals(Object.keys(tokens), ["access_token", "token_type", "expires_in", "scope"]);
  const { sub, client_id, aud } = decodeJwt(`${tokens["access_token"]}`);
  assertEquals([sub, client_id, aud], [
    "repo:octo/app:ref:refs/heads/main",
    "agent",
    "https://api.example/",
  ]);
  const shown = await introspect(world, tokens["access_token"]);
  assertEquals([shown.active, shown.sub], [true, "repo:octo/app:ref:refs/heads/main"]);
});

/** The claim `act` with this number of actors. */
function chainOf(length: number): object {
  let act: object = { sub: "actor 1" };
  for (let at = 2; at <= length; at++) act = { sub: `actor ${at}`, act };
  return act;
}

function lists(depth: number): unknown {
  return JSON.parse("[".repeat(depth) + "]".repeat(depth));
}

type Claims = NonNullable<GrantOptions["claims"]>;

/** What differs from a valid JWT, and the reason of the refusal. */
const faultyClaims: Readonly<Record<string, readonly [Claims | ((world: World) => Claims), reason: string]>> =
  {
    "another issuer": [{ iss: "https://evil.example" }, "jwt_grant_issuer_unknown"],
    "an empty sub": [{ sub: "" }, "jwt_grant_malformed"],
    "a list as iss": [{ iss: [idp] }, "jwt_grant_issuer_unknown"],
    "a number as sub": [{ sub: 7 }, "jwt_grant_malformed"],
    "another aud": [{ aud: "https://elsewhere.example" }, "jwt_grant_audience"],
    "a foreign aud, too": [
      ({ issuer }) => ({ aud: [issuer, "https://elsewhere.example"] }),
      "jwt_grant_audience",
    ],
    "an old exp": [({ clock }) => ({ exp: clock.now - 61 }), "jwt_grant_expired"],
    "a future iat": [({ clock }) => ({ iat: clock.now + 61 }), "jwt_grant_expired"],
    "an exp after more than a day": [({ clock }) => ({ exp: clock.now + 86_461 }), "jwt_grant_too_long"],
    "an empty list of authorization_details": [{ authorization_details: [] }, "jwt_grant_details"],
    "an unknown cnf": [{ cnf: { jwk: {} } }, "jwt_grant_binding"],
    "a number as jkt of cnf": [{ cnf: { jkt: 7 } }, "jwt_grant_binding"],
    "a cnf that is null": [{ cnf: null }, "jwt_grant_binding"],
    "a known cnf and another one": [{ cnf: { jkt: "a", kid: "b" } }, "jwt_grant_binding"],
    "the cnf of a key that is not proved": [{ cnf: { jkt: "a" } }, "jwt_grant_key_unproven"],
    "a text as earlier act": [{ act: { sub: "a", act: "b" } }, "jwt_grant_actor"],
    "a list as iss of act": [{ act: { sub: "a", iss: ["https://as.test"] } }, "jwt_grant_actor"],
    "a number as sub of act": [{ act: { sub: 7 } }, "jwt_grant_actor"],
    "an empty sub of act": [{ act: { sub: "" } }, "jwt_grant_actor"],
    "an earlier act of this server": [
      ({ issuer }) => ({ act: { sub: "a", act: { iss: issuer, sub: "agent" } } }),
      "jwt_grant_actor_of_this_server",
    ],
    "eleven actors": [{ act: chainOf(11) }, "jwt_grant_actors_too_many"],
    "a line end in sub": [{ sub: "alice\n" }, "jwt_grant_claim_unfit"],
    "a control character in another member of act": [
      { act: { sub: "a", more: { names: ["x", "\u0007"] } } },
      "jwt_grant_claim_unfit",
    ],
    "an invisible name in act": [{ act: { sub: "a", "client\u200bid": "b" } }, "jwt_grant_claim_unfit"],
    "20 lists in one another in act": [{ act: { sub: "a", more: lists(20) } }, "jwt_grant_claim_unfit"],
    "500 lists in one another in act": [{ act: { sub: "a", more: lists(500) } }, "jwt_grant_claim_unfit"],
    "a long method in amr": [{ amr: ["pwd", "a".repeat(256)] }, "jwt_grant_claim_unfit"],
    "an invisible character in may_act": [{ may_act: { sub: "a\u200b" } }, "jwt_grant_claim_unfit"],
    "an auth_time after 9999": [{ auth_time: 253_402_300_800 }, "jwt_grant_time_unfit"],
    "an nbf before 1970": [{ nbf: -1e300 }, "jwt_grant_time_unfit"],
    "a time of act after 9999": [{ act: { sub: "a", auth_time: 1e300 } }, "jwt_grant_time_unfit"],
    "an unknown person": [{ sub: "carol" }, "jwt_grant_person_unknown"],
  };

const otherFaults: Readonly<Record<string, readonly [GrantOptions, reason: string]>> = {
  "a foreign key": [{ key: keys.foreign.privateKey }, "jwt_grant_signature"],
  "an unknown kid": [{ header: { kid: "other" } }, "jwt_grant_signature"],
  "the typ of an access token": [{ header: { typ: "at+jwt" } }, "jwt_grant_type"],
  "a typ with application/ inside": [{ header: { typ: "Japplication/WT" } }, "jwt_grant_type"],
  "the typ of an ID-JAG": [{ header: { typ: "oauth-id-jag+jwt" } }, "id_jag_unexpected"],
};

it("jwt_bearer: a JWT with a fault is refused as invalid_grant (RFC 7523 §3.1)", async (world) => {
  const claimFaults = Object.entries(faultyClaims).map(([name, [claims, reason]]) =>
    [name, [{ claims: typeof claims === "function" ? claims(world) : claims }, reason]] as const
  );
  for (const [name, [terms, reason]] of [...claimFaults, ...Object.entries(otherFaults)]) {
    const jwt = await personJwt(world, terms);
    const refusal = await refusalOf(world, present(world, jwt));
    assertEquals(refusal, [400, "invalid_grant", reason], name);
    assert(!JSON.stringify(world.lastRefusal()).includes(jwt));
  }
});

it("jwt_bearer: a text that is no signed JWT is refused, and shown nowhere (RFC 7523 §3.1)", async (world) => {
  const [header, payload] = (await personJwt(world)).split(".");
  const unsigned = btoa(JSON.stringify({ alg: "none" })).replaceAll("=", "");
  const texts = ["canary", `${header}.${payload}.`, "a.b.c.d.canary", `${unsigned}.${payload}.`];
  for (const text of texts) {
    await assertRefused(world, present(world, text), "400 invalid_grant jwt_grant_malformed");
    assert(!JSON.stringify(world.lastRefusal()).includes("canary"));
  }
  await assertRefused(world, present(world, undefined), "400 invalid_request missing_parameter");
  const twice = present(world, "a", { assertion: ["a", "b"] });
  await assertRefused(world, twice, "400 invalid_request repeated_parameter");
});

test("jwt_bearer: the audience is the issuer, the token endpoint, or what the entry says (RFC 10070 §4)", async () => {
  await inWorld(trusting(), async (world) => {
    const endpoint = `${world.issuer}/oauth2/token`;
    for (const aud of [world.issuer, [world.issuer], endpoint, [endpoint]]) {
      await assertTokens(await present(world, await personJwt(world, { claims: { aud } })));
    }
  });
  const other = "http://as:9000/oauth2/token";
  await inWorld({ ...trusting(), also: [new URL(other).origin], allowPrivateHttp: true }, async (world) => {
    const jwt = () => personJwt(world, { claims: { aud: other } });
    const there: World = { ...world, post: (_path, ...rest) => world.post(other, ...rest) };
    await assertTokens(await present(there, await jwt()));
    const aud = `${world.issuer}/oauth2/token`;
    await assertTokens(await present(there, await personJwt(world, { claims: { aud } })));
    await assertRefused(world, present(world, await jwt()), "400 invalid_grant jwt_grant_audience");
  });
  await using world = createWorld(trusting({ ...forPeople, audiences: ["urn:example:as"] }));
  await assertTokens(await present(world, await personJwt(world, { claims: { aud: "urn:example:as" } })));
  const usual = present(world, await personJwt(world));
  await assertRefused(world, usual, "400 invalid_grant jwt_grant_audience");
});

it("jwt_bearer: the types JWT, JOSE and authorization-grant+jwt are accepted (RFC 8725 §3.11)", async (world) => {
  const types = ["JWT", "jwt", "JOSE", "authorization-grant+jwt", "application/authorization-grant+jwt"];
  for (const typ of types) {
    await assertTokens(await present(world, await personJwt(world, { header: { typ } })));
  }
});

test("jwt_bearer: the key decides the algorithm (RFC 8725 §3.1)", async () => {
  const jwks = { keys: [{ ...keys.rs256.jwk, kid: "k", alg: "PS256" }] } as typeof idpKeys;
  await using world = createWorld(trusting({ ...forPeople, jwks }));
  const key = keys.rs256.privateKey;
  const jwt = await personJwt(world, { key, header: { alg: "RS256" } });
  await assertRefused(world, present(world, jwt), "400 invalid_grant jwt_grant_signature");
});

test("jwt_bearer: a JWT that is valid for longer than its token is accepted once (RFC 7523 §3)", async () => {
  const options = { ...trusting(forPeople, { ...forWorkloads, once: true }), lifetimes: { accessToken: 60 } };
  for (const create of [personJwt, workloadJwt]) {
    await using world = createWorld(options);
    const jwt = await create(world, { claims: { exp: world.clock.now + 86_400 } });
    await assertTokens(await present(world, jwt));
    for (const hours of [1, 22, 1]) {
      world.clock.advance(hours * 3600);
      await assertRefused(world, present(world, jwt), "400 invalid_grant jwt_grant_replayed");
    }
  }
});

test("jwt_bearer: once is off for workloads, and an entry can say otherwise (RFC 7523 §3)", async () => {
  const again = async (world: World, jwt: string) => {
    await assertTokens(await present(world, jwt));
    const answer = await present(world, jwt);
    return answer.status === 200 ? undefined : world.lastRefusal()?.reason;
  };
  await inWorld(trusting(), async (world) => {
    assertEquals(await again(world, await workloadJwt(world)), undefined);
    assertEquals(await again(world, await personJwt(world)), "jwt_grant_replayed");
    assertEquals(
      await again(world, await personJwt(world, { claims: { jti: undefined } })),
      "jwt_grant_replayed",
    );
  });
  await using world = createWorld(trusting({ ...forPeople, once: false }, { ...forWorkloads, once: true }));
  assertEquals(await again(world, await workloadJwt(world)), "jwt_grant_replayed");
  assertEquals(await again(world, await personJwt(world)), undefined);
});

// The order of the group of P-256 (SEC 2, §2.4.2).
const order = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

/** Returns the JWT with (r, n − s), which is as valid a signature by ES256 as (r, s). */
function withOtherSignature(jwt: string): string {
  const [header, payload, signature] = jwt.split(".");
  const octets = Buffer.from(signature!, "base64url");
  const other = order - BigInt(`0x${octets.subarray(32).toString("hex")}`);
  octets.write(other.toString(16).padStart(64, "0"), 32, "hex");
  return `${header}.${payload}.${octets.toString("base64url")}`;
}

test("jwt_bearer: a JWT without jti is the same one with another valid signature (RFC 7523 §3)", async () => {
  const es256 = { key: keys.es256.privateKey, header: { alg: "ES256" }, claims: { jti: undefined } };
  const workloads = { ...forWorkloads, jwks: idpKeys, once: true };
  await using world = createWorld(trusting(forPeople, workloads));
  for (const create of [personJwt, workloadJwt]) {
    const jwt = await create(world, es256);
    await assertTokens(await present(world, jwt));
    const again = present(world, withOtherSignature(jwt));
    await assertRefused(world, again, "400 invalid_grant jwt_grant_replayed");
    // The signature is valid: without a use before, it gives a token.
    const fresh = await create(world, { ...es256, claims: { jti: undefined, exp: world.clock.now + 100 } });
    await assertTokens(await present(world, withOtherSignature(fresh)));
  }
});

test("jwt_bearer: a jti is that of one JWT of its issuer, and an empty one is none (RFC 7519 §4.1.7)", async () => {
  const workloads = { ...forWorkloads, once: true };
  const iss = "https://another.example";
  const others = [{ ...forPeople, issuer: iss }, { ...workloads, issuer: iss, jwks: idpKeys }];
  const byIdpKey = { key: keys.es256.privateKey, header: { alg: "ES256" } };
  for (const [create, other] of [[personJwt, others[0]!], [workloadJwt, others[1]!]] as const) {
    await using world = createWorld(trusting(forPeople, workloads, other));
    const ask = async (claims: Readonly<Record<string, unknown>>, terms: GrantOptions = {}) => {
      const answer = await present(world, await create(world, { ...terms, claims }));
      return answer.status === 200 ? "tokens" : world.lastRefusal()?.reason;
    };
    const exp = world.clock.now + 100;
    assertEquals(await ask({ jti: "one" }), "tokens");
    assertEquals(await ask({ jti: "one", exp }), "jwt_grant_replayed");
    assertEquals(await ask({ jti: "one", iss }, byIdpKey), "tokens");
    for (const jti of ["", undefined]) {
      assertEquals([await ask({ jti }), await ask({ jti, exp })], ["tokens", "tokens"]);
    }
  }
});

test("jwt_bearer: a refused request does not use up the JWT (RFC 7523 §3)", () =>
  inWorld(trusting({ ...forPeople, scope: "read" }), async (world) => {
    const jwt = await personJwt(world);
    const more = present(world, jwt, { scope: "write" });
    await assertRefused(world, more, "400 invalid_scope jwt_grant_scope_exceeded");
    await assertTokens(await present(world, jwt));
  }));

test("jwt_bearer: the scope is at most that of the entry and that of the client (RFC 7521 §4.1)", async () => {
  const [agent, ...others] = grantClients;
  const clients = [{ ...agent!, scope: "read write offline_access openid" }, ...others];
  const scopeFor = async (world: World, jwt: string, changed: Params = {}) => {
    const answer = await present(world, jwt, changed);
    return answer.status === 200 ? (await answer.json()).scope : world.lastRefusal()?.reason;
  };
  const scoped = { ...forPeople, scope: "read list offline_access openid" };
  await inWorld({ ...trusting(scoped), clients }, async (world) => {
    assertEquals(await scopeFor(world, await personJwt(world)), "read openid");
    assertEquals(
      await scopeFor(world, await personJwt(world), { scope: "write" }),
      "jwt_grant_scope_exceeded",
    );
    assertEquals(await scopeFor(world, await personJwt(world), { scope: "list" }), "scope_not_for_client");
    assertEquals(
      await scopeFor(world, await personJwt(world), { scope: "offline_access" }),
      "jwt_grant_scope_of_sign_in",
    );
  });
  await inWorld({ ...trusting({ ...forWorkloads, scope: "list" }, forPeople), clients }, async (world) => {
    assertEquals(await scopeFor(world, await workloadJwt(world)), "jwt_grant_scope_empty");
    assertEquals(await scopeFor(world, await personJwt(world)), "read write openid");
  });
  await using world = createWorld({ ...trusting(), clients });
  assertEquals(await scopeFor(world, await workloadJwt(world)), "read write");
  assertEquals(
    await scopeFor(world, await workloadJwt(world), { scope: "openid" }),
    "jwt_grant_scope_of_sign_in",
  );
});

test("jwt_bearer: subjects and claims choose the entry, and an asterisk stands for any text", async () => {
  const main = {
    ...forWorkloads,
    claims: { ref: "refs/heads/main", private: "true", attempt: "1" },
    scope: "deploy",
  };
  const branches = { ...forWorkloads, claims: { ref: "refs/heads/*" }, scope: "test" };
  await using world = createWorld(trusting(main, branches));
  const scopeWith = async (claims: Readonly<Record<string, unknown>>) => {
    const answer = await present(world, await workloadJwt(world, { claims }));
    return answer.status === 200 ? (await answer.json()).scope : world.lastRefusal();
  };
  assertEquals(await scopeWith({ ref: "refs/heads/main", private: true, attempt: 1 }), "deploy");
  assertEquals(await scopeWith({ ref: "refs/heads/main" }), "test");
  assertEquals(await scopeWith({ ref: ["refs/tags/1", "refs/heads/x"] }), "test");
  const rows = [
    { ref: "refs/tags/1" },
    { ref: { toString: "refs/heads/main" } },
    {},
    { ref: "refs/heads/main", sub: "repo:octocat/app" },
    { ref: "refs/heads/main", sub: "x repo:octo/app" },
  ];
  for (const claims of rows) {
    assertEquals((await scopeWith(claims)).reason, "jwt_grant_not_trusted", JSON.stringify(claims));
  }
  assertEquals(world.lastRefusal()?.expected, "sub repo:octo/*");
});

test("jwt_bearer: an asterisk in the middle of a pattern leaves the beginning and the end", async () => {
  const trust = { ...forWorkloads, subjects: ["a*a", "repo:*/app:*:main", "b/b*/b*c"] };
  await using world = createWorld(trusting(trust));
  const statusOf = async (sub: string) =>
    (await present(world, await workloadJwt(world, { claims: { sub } }))).status;
  for (const sub of ["aa", "aba", "repo:octo/app:x:main", "repo:/app::main", "repo:a/app:b/app:c:main"]) {
    assertEquals(await statusOf(sub), 200, sub);
  }
  const others = ["repo:octo/app:x:main2", "repo:octo/app:main", "xrepo:octo/app:x:main", "repo:octo/x:main"];
  for (const sub of ["a", "ab", "b/bc", ...others]) {
    assertEquals(await statusOf(sub), 400, sub);
  }
});

test("jwt_bearer: a claim finds the person by sub, username or email (RFC 7523 §3)", async () => {
  const people = [
    { username: "alice", sub: "a-1", claims: { email: "Alice@shop.example" } },
    { username: "bob@shop.example", claims: { email: "other@shop.example" } },
  ];
  const subjectBy = async (person: object, claims: Readonly<Record<string, unknown>>) => {
    const options = { ...trusting({ ...forPeople, person }), people, login: "picker" };
    const world = createWorld(options);
    const answer = await present(world, await personJwt(world, { claims: { sub: "x", ...claims } }));
    await world.close();
    return answer.status === 200
      ? decodeJwt((await answer.json()).access_token).sub
      : world.lastRefusal()?.reason;
  };
  assertEquals(await subjectBy({ sub: "sub" }, { sub: "a-1" }), "a-1");
  assertEquals(await subjectBy({ username: "upn" }, { upn: "alice" }), "a-1");
  assertEquals(await subjectBy({ email: "mail" }, { mail: "ALICE@shop.example" }), "a-1");
  assertEquals(await subjectBy({ username: "upn" }, { upn: "a-1" }), "jwt_grant_person_unknown");
  assertEquals(
    await subjectBy({ email: "email" }, { email: "bob@shop.example" }),
    "jwt_grant_person_unknown",
  );
  assertEquals(
    await subjectBy({ email: "email" }, { email: ["alice@shop.example"] }),
    "jwt_grant_person_unnamed",
  );
  assertEquals(await subjectBy({ username: "upn" }, { upn: "" }), "jwt_grant_person_unnamed");
  const verified = async (email_verified: unknown) =>
    await subjectBy({ email: "email" }, { email: "alice@shop.example", email_verified });
  for (const value of [undefined, true, "true"]) assertEquals(await verified(value), "a-1");
  for (const value of [false, "false", null, 0, 1, "", "1", "TRUE", "yes", " true", [], [true], {}]) {
    assertEquals(await verified(value), "jwt_grant_email_unverified", JSON.stringify(value));
  }
  // Only the email that finds the person must be verified.
  assertEquals(await subjectBy({ username: "upn" }, { upn: "alice", email_verified: false }), "a-1");
});

test("jwt_bearer: the refusal of an unknown person shows the person to add", () =>
  inWorld(trusting({ ...forPeople, person: { email: "email" } }), async (world) => {
    const jwt = await personJwt(world, { claims: { email: "carol@shop.example" } });
    await present(world, jwt);
    assertEquals(JSON.parse(world.lastRefusal()!.remedy!), {
      people: [{ username: "carol", claims: { email: "carol@shop.example" } }],
    });
    const named = { email: "c@shop.example", preferred_username: "carol" };
    await present(world, await personJwt(world, { claims: named }));
    assertEquals(JSON.parse(world.lastRefusal()!.remedy!).people[0].username, "carol");
  }));

test("jwt_bearer: the person to add has the value by which trust finds them", async () => {
  for (const name of ["sub", "username"] as const) {
    await inWorld(trusting({ ...forPeople, person: { [name]: "oid" } }), async (world) => {
      await present(world, await personJwt(world, { claims: { oid: "c-1", preferred_username: "carol" } }));
      const expected = { sub: { username: "carol", sub: "c-1" }, username: { username: "c-1" } };
      assertEquals(JSON.parse(world.lastRefusal()!.remedy!), { people: [expected[name]] });
    });
  }
});

it("jwt_bearer: the journal says whose JWT gave which access, and also of a refused request", async (world) => {
  const jwt = await personJwt(world);
  const asked = { scope: "read", resource: "https://api.example/" };
  const { jti } = await claimsOf(present(world, jwt, asked));
  const facts = () => {
    const { flow, subject, scope, resource, more } = world.journal.at(-1)!.facts;
    return [flow, subject, scope, resource, more];
  };
  const common = ["alice", ["read"], ["https://api.example/"], { jwt_bearer: { issuer: idp, idJag: false } }];
  assertEquals(facts(), [`${jti}`.split(".")[0], ...common]);
  await assertRefused(world, present(world, jwt, asked), "400 invalid_grant jwt_grant_replayed");
  assertEquals(facts(), [undefined, ...common]);
});

test("jwt_bearer: a token for a person ends when the person has another password", () =>
  inTurn({ ...trusting(), login: "picker" }, async (open) => {
    const before = await open({ people: [{ username: "alice", password: "first password" }] });
    const { access_token: token } = await assertTokens(await present(before, await personJwt(before)));
    assertEquals((await introspect(before, token)).active, true);
    const after = await open({ people: [{ username: "alice", password: "second password" }] });
    assertEquals((await introspect(after, token)).active, false);
  }));

test("jwt_bearer: the sub of a workload is not that of a person or of another client (RFC 9068 §5)", () =>
  inWorld(trusting({ ...forWorkloads, subjects: ["*"] }), async (world) => {
    for (const sub of ["alice", "other"]) {
      const taken = present(world, await workloadJwt(world, { claims: { sub } }));
      await assertRefused(world, taken, "400 invalid_grant jwt_grant_subject_taken");
    }
    const own = await workloadJwt(world, { claims: { sub: "agent" } });
    assertEquals((await claimsOf(present(world, own))).sub, "agent");
  }));

test("jwt_bearer: of two entries of an issuer, that of the JWT decides whether the client needs credentials (RFC 7523 §3.1)", async () => {
  const open = { ...forWorkloads, subjects: ["repo:octo/open"], publicClients: true };
  const closed = { ...forWorkloads, subjects: ["repo:octo/closed"] };
  for (const entries of [[open, closed], [closed, open]]) {
    await using world = createWorld(trusting(...entries));
    const presentFor = async (sub: string, client: Params, headers = {}) =>
      await present(world, await workloadJwt(world, { claims: { sub } }), client, headers);
    const asPublic = { client_id: "public" };
    await assertTokens(await presentFor("repo:octo/open", asPublic));
    const closed = presentFor("repo:octo/closed", asPublic);
    await assertRefused(world, closed, "400 unauthorized_client jwt_grant_public_client");
    await assertTokens(await presentFor("repo:octo/closed", {}, asAgent));
  }
});

it("jwt_bearer: a bound JWT needs a proof of its key, and gives a bound token (RFC 7800 §3.1)", async (world) => {
  const [key, other] = [await createProofKey(), await createProofKey()];
  const jwt = await workloadJwt(world, { claims: { cnf: { jkt: key.thumbprint } } });
  await assertRefused(world, present(world, jwt), "400 invalid_grant jwt_grant_key_unproven");
  const wrong = { ...asAgent, ...await proof(other, world) };
  await assertRefused(world, present(world, jwt, {}, wrong), "400 invalid_grant jwt_grant_key_differs");
  const tokens = await assertTokens(
    await present(world, jwt, {}, { ...asAgent, ...await proof(key, world) }),
  );
  assertEquals(tokens["token_type"], "DPoP");
  assertEquals(decodeJwt(`${tokens["access_token"]}`)["cnf"], { jkt: key.thumbprint });
});

it("jwt_bearer: the actor of the JWT is in the token, too (RFC 8693 §4.1)", async (world) => {
  const actorFor = async (act: object) =>
    (await claimsOf(present(world, await personJwt(world, { claims: { act } }))))["act"];
  // A sub is that of an issuer, and here not that of the issuer of the token.
  assertEquals(await actorFor({ sub: "agent" }), { iss: idp, sub: "agent" });
  const named = { iss: "https://elsewhere.example", sub: "agent" };
  assertEquals(await actorFor(named), named);
  assertEquals(
    await actorFor({ ...named, act: { sub: "b", act: { ...named, act: { client_id: "c" } } } }),
    { ...named, act: { iss: idp, sub: "b", act: { ...named, act: { iss: idp, client_id: "c" } } } },
  );
  assertEquals(typeof await actorFor(chainOf(10)), "object");
});

/** Each row: claims of a workload that stay within the bounds. */
const fit: readonly (readonly [name: string, claims: (world: World) => Readonly<Record<string, unknown>>])[] =
  [
    ["a sub of 255 characters", () => ({ sub: `repo:octo/${"a".repeat(245)}` })],
    ["a time of 9999", () => ({ auth_time: 253_402_300_799 })],
    ["a time of 1970", () => ({ auth_time: 0, iat: 0, nbf: 0 })],
    ["19 lists in one another in act", () => ({ act: { sub: "a", more: lists(19) } })],
    [
      "a scope and a resource that would not fit into a token",
      () => ({ scope: "a".repeat(256), resource: "\u0007" }),
    ],
    ["an exp after a day, by a clock that is ahead", ({ clock }) => ({ exp: clock.now + 86_460 })],
  ];

it("jwt_bearer: a JWT within the bounds is accepted (RFC 8725 §3.10)", async (world) => {
  for (const [name, claims] of fit) {
    const { status } = await present(world, await workloadJwt(world, { claims: claims(world) }));
    assertEquals(status, 200, name);
  }
});

it("jwt_bearer: scope and resource of a JWT that is no ID-JAG have no meaning (ID-JAG §4.4.1)", async (world) => {
  const claims = { scope: "read", resource: "https://other.example/" };
  const ask = async (changed: Params = {}) => {
    const { scope, aud } = await claimsOf(present(world, await workloadJwt(world, { claims }), changed));
    return [scope, aud];
  };
  const [scope] = await ask();
  assertEquals(await ask(), [scope, world.issuer]);
  const asked = { scope: "deploy", resource: "https://api.example/" };
  assertEquals(await ask(asked), [asked.scope, asked.resource]);
});

test("jwt_bearer: a client without credentials makes the server fetch keys only if its entry says so", async () => {
  const urls: string[] = [];
  const fetch = (url: string | Request) => {
    urls.push(String(url));
    return Promise.resolve(Response.json(platformKeys));
  };
  const { jwks: _jwks, ...keyless } = forWorkloads;
  const trust = { ...keyless, jwks_uri: "https://platform.example/jwks.json" };
  const other = { header: { kid: "other" } };
  const send = async (world: World) =>
    await present(world, await workloadJwt(world, other), { client_id: "public" }, {
      origin: "https://evil.example",
      "sec-fetch-site": "cross-site",
    });
  await inWorld({ ...trusting(trust), fetch }, async (world) => {
    await assertRefused(world, send(world), "400 unauthorized_client jwt_grant_public_client");
    assertEquals(urls, []);
  });
  await using world = createWorld({ ...trusting({ ...trust, publicClients: true }), fetch });
  for (let index = 0; index < 20; index++) {
    assertEquals([(await send(world)).status, world.lastRefusal()?.reason], [400, "jwt_grant_signature"]);
  }
  // Once for its first JWT, and five times a minute for unknown keys.
  assertEquals(urls.length, 6);
});

test("jwt_bearer: without trust, the server neither knows nor announces the grant type (RFC 8414 §2)", () =>
  inWorld({ trust: [] }, async (world) => {
    const metadata = await (await world.get("/.well-known/oauth-authorization-server")).json();
    assert(!metadata.grant_types_supported.includes(jwtBearer));
    const answer = present(world, "a", { client_id: "public" }, {});
    await assertRefused(world, answer, "400 unsupported_grant_type grant_type_unsupported");
  }));
