/** Each forgery has one fault: as.protect and two other verifiers refuse it, and accept the token without the fault. */

import { assert, assertEquals, assertMatch, assertNotEquals, assertRejects, assertThrows } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import { createMock, type MintTerms } from "../../../src/mock/mod.ts";
import { forge } from "../../../src/mock/tokens/forge.ts";
import { isTolerance } from "../../../src/misbehaviours/misbehaviour.ts";
import { forgeries, type ForgeryName } from "../../../src/misbehaviours/names.ts";
import { mint } from "../../../src/mock/tokens/mint.ts";
import { protect } from "../../../src/mock/tokens/protect.ts";
import { test } from "../../runner.ts";
import { issuer, type Kit, startKit } from "../kit.ts";

const api = "https://api.test";

function bearer(token: string): Request {
  return new Request(`${api}/orders`, { headers: { authorization: `Bearer ${token}` } });
}

async function verifyWithJose(token: string, { fetch }: Kit): Promise<void> {
  const keys = await (await fetch(`${issuer}/oauth2/jwks`)).json() as JSONWebKeySet;
  await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience: api,
    typ: "at+jwt",
    requiredClaims: ["exp", "sub", "iat", "jti", "client_id"],
  });
}

async function verifyWithOauth4webapi(token: string, { fetch }: Kit): Promise<void> {
  const options = { [oauth.customFetch]: fetch };
  const discovered = await oauth.discoveryRequest(new URL(issuer), options);
  const as = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
  await oauth.validateJwtAccessToken(as, bearer(token), api, options);
}

/** The tokens that are only unusual. An API has to accept them. */
const unusual: readonly ForgeryName[] = [
  "access_token.audience_list",
  "access_token.claims_unknown",
  "access_token.issued_in_future",
  "access_token.long",
  "access_token.type_full",
];
const refused = forgeries.filter((name) => !unusual.includes(name));

const verifiers = { "jose": verifyWithJose, "oauth4webapi": verifyWithOauth4webapi };
const terms = { person: "bob", scope: "profile", resource: api } as const;

for (const name of forgeries) {
  test(`forge: ${name} gets its verdict from as.protect, and other verifiers refuse it where they can see the fault`, async () => {
    const kit = startKit();
    await using _ = kit.tenant;
    const { token, verdict, name: said } = await forge(name, terms, kit.context);
    assertEquals(said, name);
    assertMatch(verdict.why, /^[A-Z][^.]*\.$/);
    const result = await protect({ scope: "profile", audience: api }, kit.context)(bearer(token));
    if (verdict.status === 200) {
      assert(!(result instanceof Response), "as.protect refused the token");
      assertEquals([isTolerance(verdict.level), verdict.error, verdict.seenBy], [true, undefined, undefined]);
    } else {
      assert(result instanceof Response, "as.protect accepted the token");
      assertEquals([result.status, (await result.json()).error], [verdict.status, verdict.error]);
      assertMatch(result.headers.get("www-authenticate")!, new RegExp(`error="${verdict.error}"`));
    }
    for (const verify of Object.values(verifiers)) {
      if (verdict.seenBy === "verification") await assertRejects(() => verify(token, kit), Error);
      else await verify(token, kit);
    }
  });
}

for (const alg of ["RS256", "PS256", "ES256", "EdDSA"] as const) {
  test(`forge: each is refused where the server signs with ${alg}, and the token without a fault is accepted`, async () => {
    const kit = startKit({ alg });
    await using _ = kit.tenant;
    const resource = protect({ scope: "profile", audience: api }, kit.context);
    const right = await mint(terms, kit.context);
    assert(!(await resource(bearer(right)) instanceof Response));
    for (const verify of Object.values(verifiers)) await verify(right, kit);
    for (const name of refused) {
      const { token, verdict } = await forge(name, terms, kit.context);
      const result = await resource(bearer(token));
      assert(result instanceof Response, `${name} was accepted`);
      assertEquals([name, result.status], [name, verdict.status]);
    }
  });
}

/** The reason that as.protect gives for each fault. */
const reasons: Readonly<Partial<Record<ForgeryName, RegExp>>> = {
  "access_token.expiry_text": /lacks a claim/,
  "access_token.issuer_slash": /its issuer is https:\/\/as\.test\/$/,
  "access_token.audience_missing": /but for none/,
  "access_token.key_by_url": /No published key has kid/,
  "access_token.unreadable": /not an access token of this server/,
  "access_token.subject_missing": /lacks a claim/,
  "access_token.client_id_missing": /lacks a claim/,
  "access_token.expired": /expired \d+ days ago/,
  "access_token.not_yet_valid": /not valid yet/,
  "access_token.expiry_missing": /lacks a claim/,
  "access_token.issuer_wrong": /its issuer is https:\/\/as\.test\/another/,
  "access_token.audience_wrong": /but for https:\/\/another-api\.test/,
  "access_token.type_wrong": /its typ must be at\+jwt, not JWT/,
  "access_token.id_token_instead": /its typ must be at\+jwt, not JWT/,
  "access_token.alg_none": /not a signed JWT/,
  "access_token.signature_missing": /not a signed JWT/,
  "access_token.signature_bad": /signature does not verify/,
  "access_token.claims_tampered": /signature does not verify/,
  "access_token.hs256_with_public_key": /signs with HS256/,
  "access_token.kid_unknown": /No published key has kid/,
  "access_token.key_other": /signature does not verify/,
  "access_token.key_embedded": /No published key has kid none/,
  "access_token.crit_unknown": /unknown critical extension/,
  "access_token.scope_missing": /lacks the scope profile/,
  "access_token.revoked": /revoked/,
};

test("forge: each is refused for its own fault", async () => {
  const { tenant, context } = startKit();
  await using _ = tenant;
  const resource = protect({ scope: "profile", audience: api }, context);
  for (const name of refused) {
    const result = await resource(bearer((await forge(name, terms, context)).token));
    assert(result instanceof Response);
    assertMatch((await result.json()).error_description, reasons[name]!);
  }
});

test("forge: each is refused for its own fault where access tokens have typ JWT", async () => {
  const { tenant, context } = startKit({ accessTokenType: "JWT" });
  await using _ = tenant;
  const resource = protect({ scope: "profile", audience: api }, context);
  const right = await mint(terms, context);
  assertEquals(decodeProtectedHeader(right).typ, "JWT");
  assert(!(await resource(bearer(right)) instanceof Response));
  const typed: typeof reasons = {
    "access_token.type_wrong": /its typ must be JWT, not logout\+jwt/,
    "access_token.client_id_missing": /its typ is JWT, but it has no client_id/,
    "access_token.id_token_instead": /its typ is JWT, but it has no client_id, or it has at_hash/,
  };
  for (const name of refused) {
    const { token, verdict } = await forge(name, terms, context);
    const result = await resource(bearer(token));
    assert(result instanceof Response, `${name} was accepted`);
    assertEquals([name, result.status], [name, verdict.status]);
    assertMatch((await result.json()).error_description, { ...reasons, ...typed }[name]!);
  }
});

/** Whether the token has another aud, or is no JWT at all. */
function changesAudience(name: ForgeryName): boolean {
  return name.startsWith("access_token.audience_") || name === "access_token.unreadable";
}

test("forge: claims cannot replace the fault", async () => {
  const { tenant, context } = startKit({ accessTokenType: "JWT" });
  await using _ = tenant;
  const resource = protect({ scope: "profile", audience: "orders-api" }, context);
  const now = Math.floor(Date.now() / 1000);
  const right = { iss: issuer, aud: "orders-api", scope: "profile", nbf: now - 60, exp: now + 3600 };
  assert(!(await resource(bearer(await mint({ ...terms, claims: right }, context))) instanceof Response));
  for (const name of refused) {
    const { token, verdict } = await forge(name, { ...terms, claims: right }, context);
    const result = await resource(bearer(token));
    assert(result instanceof Response, `${name} was accepted`);
    assertEquals([name, result.status], [name, verdict.status]);
    if (name === "access_token.id_token_instead") assertEquals(decodeJwt(token).aud, "app");
    else if (!changesAudience(name)) {
      assertEquals([name, decodeJwt(token).aud], [name, "orders-api"]);
    }
  }
});

for (
  const [where, options, forgeTerms, protectTerms] of [
    ["the audience is named", {}, { scope: "orders", resource: api }, { scope: "orders", audience: api }],
    ["one resource is configured", { resources: [api] }, { scope: "orders" }, { scope: "orders" }],
    ["no resource is configured", {}, { scope: "orders" }, { scope: "orders" }],
    ["the API is named among several", { resources: ["https://other.test", api] }, {
      scope: "orders",
      resource: api,
    }, { scope: "orders", audience: api }],
  ] as const
) {
  test(`forge: each is refused for its own fault where ${where}`, async () => {
    await using as = await createMock({ alg: "ES256", issuer, ...options });
    const resource = as.protect(protectTerms);
    assert(!(await resource(bearer(await as.mint(forgeTerms))) instanceof Response));
    for (const name of refused) {
      const { token, verdict } = await as.forge(name, forgeTerms);
      const result = await resource(bearer(token));
      assert(result instanceof Response, `${name} was accepted`);
      assertEquals([name, result.status], [name, verdict.status]);
      const expected = name === "access_token.scope_missing" ? /lacks the scope orders/ : reasons[name]!;
      assertMatch((await result.json()).error_description, expected);
    }
  });
}

test("forge: missing-scope lacks any scope that an API requires, and has no other fault", async () => {
  await using as = await createMock({ alg: "ES256" });
  for (const scope of [undefined, "openid", "profile", "orders", "openid profile email address phone"]) {
    const { token, verdict } = await as.forge(
      "access_token.scope_missing",
      scope === undefined ? {} : { scope },
    );
    for (const asked of (scope ?? "openid profile email address phone orders").split(" ")) {
      const result = await as.protect({ scope: asked })(bearer(token));
      assert(result instanceof Response, asked);
      assertEquals([asked, result.status, (await result.json()).error], [
        asked,
        verdict.status,
        verdict.error,
      ]);
    }
  }
});

test("mint, forge, protect: with several configured resources the caller must name one", async () => {
  await using as = await createMock({ alg: "ES256", resources: ["https://other.test", api] });
  const problem = (doing: string, term: string) =>
    `Cannot ${doing} without ${term}: the resources https://other.test, ${api} are configured. ` +
    `Name one, as in { ${term}: "https://other.test" }`;
  await assertRejects(() => as.mint(), TypeError, problem("mint an access token", "resource"));
  await assertRejects(
    () => as.mint({ withoutPerson: true }),
    TypeError,
    problem("mint an access token", "resource"),
  );
  await assertRejects(
    () => as.forge("access_token.expired"),
    TypeError,
    problem("forge access_token.expired", "resource"),
  );
  assertThrows(() => as.protect(), TypeError, problem("protect", "audience"));
  // Only access tokens are for an API.
  await as.mint({ kind: "id" });
  await as.mint({ kind: "refresh" });
});

test("mint: the only configured resource is the audience, and an empty list stands for the issuer", async () => {
  await using as = await createMock({ alg: "ES256", resources: [api] });
  const audienceOf = async (terms: MintTerms) => decodeJwt(await as.mint(terms)).aud;
  assertEquals(await audienceOf({}), api);
  assertEquals(await audienceOf({ withoutPerson: true }), api);
  assertEquals(await audienceOf({ resource: [] }), as.issuer);
});

test("forge: the terms decide everything but the fault, with the defaults of mint", async () => {
  const { tenant, context } = startKit();
  await using _ = tenant;
  const claimsOf = async (name: ForgeryName) =>
    decodeJwt((await forge(name, { ...terms, claims: { tenant: "acme" } }, context)).token);
  const lacking = ["unreadable", "id_token_instead", "subject_missing"].map((fault) =>
    `access_token.${fault}`
  );
  for (const name of forgeries.filter((each) => !lacking.includes(each))) {
    const { sub, tenant: named } = await claimsOf(name);
    assertEquals([sub, named], ["bob", "acme"]);
  }
  const expired = await claimsOf("access_token.expired");
  assertEquals([expired.aud, expired["scope"], expired.exp! - expired.iat!], [api, "profile", 3600]);
  const { token } = await forge("access_token.scope_missing", {}, context);
  const result = await protect({ scope: "openid" }, context)(bearer(token));
  assert(result instanceof Response);
  assertEquals(result.status, 403);
});

test("forge: expired is not revoked as well", async () => {
  const { tenant, context } = startKit();
  await using as = tenant;
  const { token } = await forge("access_token.expired", {}, context);
  as.clock.set(decodeJwt(token).exp! - 3600);
  assert(!(await protect({}, context)(bearer(token)) instanceof Response));
});

test("forge: a seed repeats every byte of each forgery", async () => {
  const all = async (seed: number) => {
    const { tenant, context } = startKit({ seed, alg: "RS256" });
    await using _ = tenant;
    const tokens: string[] = [];
    for (const name of forgeries) tokens.push((await forge(name, terms, context)).token);
    return tokens;
  };
  const first = await all(1);
  assertEquals(await all(1), first);
  assertEquals(new Set(first).size, forgeries.length);
  assertNotEquals(await all(2), first);
});

test("forge: opaque tokens can have some faults only, and an error explains the others", async () => {
  const { tenant, context } = startKit({ accessTokens: "opaque" });
  await using _ = tenant;
  const resource = protect({ scope: "profile", audience: api }, context);
  for (
    const name of [
      "access_token.expired",
      "access_token.audience_wrong",
      "access_token.scope_missing",
      "access_token.revoked",
    ] as const
  ) {
    const { token, verdict } = await forge(name, terms, context);
    const result = await resource(bearer(token));
    assert(result instanceof Response);
    assertEquals([name, result.status, (await result.json()).error], [name, verdict.status, verdict.error]);
  }
  await assertRejects(
    () => forge("access_token.alg_none", terms, context),
    TypeError,
    'Configure accessTokens: "jwt"',
  );
});

test("forge: missing-scope is seen by scope, and revoked by the server only", async () => {
  const { tenant, context } = startKit();
  await using _ = tenant;
  const seenBy = async (name: ForgeryName) => (await forge(name, terms, context)).verdict.seenBy;
  assertEquals([
    await seenBy("access_token.scope_missing"),
    await seenBy("access_token.revoked"),
    await seenBy("access_token.expired"),
  ], [
    "scope",
    "server",
    "verification",
  ]);
});

test("forge: the URL in a token serves the key that signed it, and a call there is seen until a reset (RFC 8725 §3.10)", async () => {
  await using as = await createMock({ issuer });
  const { token, requests: before } = await as.forge("access_token.key_by_url");
  assertEquals(before, []);
  const forgery = await as.forge("access_token.key_by_url");
  assertEquals(forgery.requests, []);
  const { jku } = decodeProtectedHeader(token);
  const keys = await (await as.fetch(jku!)).json() as JSONWebKeySet;
  assertEquals((await jwtVerify(token, createLocalJWKSet(keys), { issuer })).payload.iss, issuer);
  assertEquals(forgery.requests.map(({ method, path }) => [method, path]), [["GET", "/jwks"]]);
  const later = await as.forge("access_token.key_by_url");
  assertEquals(later.requests, []);
  as.reset();
  assertEquals(forgery.requests, []);
  await assertRejects(() => as.fetch(jku!), TypeError, "answers for");
});

test("forge: a misspelt term is refused, and so is kind, which the name decides", async () => {
  const { tenant, context } = startKit();
  await using _ = tenant;
  const known = "known are person, client, scope, resource, claims, nonce, expiresIn, withoutPerson";
  for (const name of ["who", "kind"]) {
    await assertRejects(
      () => forge("access_token.expired", { [name]: "id" }, context),
      TypeError,
      `Cannot forge access_token.expired: ${name} is not known: ${known}`,
    );
  }
});

test("forge: the error about an unknown name lists the known ones", async () => {
  const { tenant, context } = startKit();
  await using _ = tenant;
  await assertRejects(
    () => forge("broken" as ForgeryName, {}, context),
    TypeError,
    'There is no forgery "broken": as.forgeries lists them',
  );
  await assertRejects(
    () => forge("expird" as ForgeryName, {}, context),
    TypeError,
    "Did you mean access_token.expired?",
  );
});
