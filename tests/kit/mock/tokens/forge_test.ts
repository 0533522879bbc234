/** Each forgery has one fault: as.protect and two other verifiers refuse it, and accept the token without the fault. */

import { assert, assertEquals, assertMatch, assertRejects, assertThrows } from "@std/assert";
import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, type JSONWebKeySet, jwtVerify } from "jose";
import * as oauth from "oauth4webapi";
import {
  createMock,
  type ForgeryVerdict,
  type ForgeTerms,
  type MintTerms,
  type Mock,
  type MockOptions,
} from "../../../../src/kit/mod.ts";
import { catalogue } from "../../../../src/kit/faults/catalogue.ts";
import { isTolerance } from "../../../../src/kit/faults/misbehaviour.ts";
import { forgeries, type ForgeryName } from "../../../../src/kit/faults/names.ts";
import { test } from "../../../runner.ts";
import { testUsing } from "../../../test_in.ts";

const quick: MockOptions = { alg: "ES256" };
const api = "https://api.test";

function bearer(token: string): Request {
  return new Request(`${api}/orders`, { headers: { authorization: `Bearer ${token}` } });
}

async function verifyWithJose(token: string, { fetch, issuer }: Mock): Promise<void> {
  const keys = await (await fetch(`${issuer}/oauth2/jwks`)).json() as JSONWebKeySet;
  await jwtVerify(token, createLocalJWKSet(keys), {
    issuer,
    audience: api,
    typ: "at+jwt",
    clockTolerance: 5,
    requiredClaims: ["exp", "sub", "iat", "jti", "client_id"],
  });
}

async function verifyWithOauth4webapi(token: string, { fetch, issuer }: Mock): Promise<void> {
  const options = { [oauth.customFetch]: fetch };
  const discovered = await oauth.discoveryRequest(new URL(issuer), options);
  const as = await oauth.processDiscoveryResponse(new URL(issuer), discovered);
  await oauth.validateJwtAccessToken(as, bearer(token), api, options);
}

/** Not the tokens that are only unusual: an API has to accept them. */
const refused = forgeries.filter((name) => !isTolerance(catalogue.get(name)!.level));

/** The API of the test kit knows the keys of its server, and their clocks are one, so it needs no tolerance here. */
const needless: readonly ForgeryName[] = ["access_token.kid_missing", "access_token.valid_in_a_moment"];

/** RFC 6750 §2.1: as.protect sees a request without a token where the text cannot be one. */
const expectAnswer = (name: ForgeryName, { status, error }: ForgeryVerdict) =>
  catalogue.get(name)!.api!.isMalformed ? [400, "invalid_request"] : [status, error];

const verifiers = [verifyWithJose, verifyWithOauth4webapi];
const terms = { person: "bob", scope: "profile", resource: api } as const;

const it = testUsing(() => createMock(quick));

it("forge: each gets its verdict from as.protect, and other verifiers refuse it where they can see the fault", async (as) => {
  const protect = as.protect({ scope: "profile", audience: api });
  for (const verify of verifiers) await verify(await as.mint(terms), as);
  for (const name of forgeries) {
    const { token, verdict, name: said } = await as.forge(name, terms);
    assertEquals(said, name);
    assertMatch(verdict.why, /^[A-Z][^.]*\.$/, name);
    const result = await protect(bearer(token));
    if (verdict.status === 200) {
      assertEquals(result instanceof Response, needless.includes(name), `as.protect: ${name}`);
      assertEquals([isTolerance(verdict.level), verdict.error, verdict.seenBy], [true, undefined, undefined]);
    } else {
      assert(result instanceof Response, `as.protect accepted ${name}`);
      const [status, error] = expectAnswer(name, verdict);
      assertEquals([result.status, (await result.json()).error], [status, error], name);
      assertMatch(result.headers.get("www-authenticate")!, new RegExp(`error="${error}"`), name);
    }
    for (const verify of verifiers) {
      if (verdict.seenBy === "verification") await assertRejects(() => verify(token, as), Error, "", name);
      else await verify(token, as);
    }
  }
});

/** The reason that as.protect gives for each fault. */
const reasons: Readonly<Partial<Record<ForgeryName, RegExp>>> = {
  "access_token.expiry_text": /lacks a claim/,
  "access_token.not_before_text": /not valid yet/,
  "access_token.claim_twice": /expired \d+ days ago/,
  "access_token.issuer_missing": /its issuer is none/,
  "access_token.issuer_list": /its issuer is none/,
  "access_token.issuer_part": /its issuer is https:\/\/as\.tes$/,
  "access_token.audience_empty": /but for none/,
  "access_token.type_missing": /its typ must be at\+jwt, not none/,
  "access_token.alg_missing": /not a signed JWT/,
  "access_token.encrypted_unsigned": /not a signed JWT/,
  "access_token.serialized_as_json": /Expected one access token/,
  "access_token.signature_alphabet": /Expected one access token/,
  "access_token.signature_zero": /signature does not verify/,
  "access_token.certificate_embedded": /No published key has kid none/,
  "access_token.issued_at_missing": /lacks a claim/,
  "access_token.id_missing": /lacks a claim/,
  "access_token.issuer_slash": /its issuer is https:\/\/as\.test\/$/,
  "access_token.audience_missing": /but for none/,
  "access_token.key_by_url": /No published key has kid/,
  "access_token.unreadable": /not an access token of this server/,
  "access_token.subject_missing": /lacks a claim/,
  "access_token.client_id_missing": /lacks a claim/,
  "access_token.expired": /expired \d+ days ago/,
  "access_token.expired_minutes_ago": /expired \d+ (?:days|seconds) ago/,
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
  "access_token.hs256_alg_unpublished_other_type": /signs with HS256/,
  "access_token.hs256_with_public_key": /signs with HS256/,
  "access_token.kid_odd": /signs with HS256/,
  "access_token.kid_unusual": /No published key has kid \.\.\//,
  "access_token.similar_to_accepted": /signature does not verify/,
  "access_token.two_issuers_one_kid": /No published key has kid/,
  "access_token.kid_unknown": /No published key has kid/,
  "access_token.kid_unknown_many": /No published key has kid/,
  "access_token.key_use_enc": /No published key has kid/,
  "access_token.key_operations_other": /No published key has kid/,
  "access_token.key_alg_other": /No published key has kid/,
  "access_token.key_other": /signature does not verify/,
  "access_token.key_embedded": /No published key has kid none/,
  "access_token.crit_unknown": /unknown critical extension/,
  "access_token.scope_missing": /lacks the scope profile/,
  "access_token.revoked": /revoked/,
};

const typedReasons: typeof reasons = {
  ...reasons,
  "access_token.type_missing": /its typ must be JWT, not none/,
  "access_token.type_wrong": /its typ must be JWT, not logout\+jwt/,
  "access_token.client_id_missing": /its typ is JWT, but it has no client_id/,
  "access_token.id_token_instead": /its typ is JWT, but it has no client_id, or it has at_hash/,
};

const ordersReasons: typeof reasons = {
  ...reasons,
  "access_token.scope_missing": /lacks the scope orders/,
};

/** Claims of a test, which cannot replace the fault of a forgery. */
const now = Math.floor(Date.now() / 1000);
const claimsOfTest = {
  iss: "https://as.test",
  aud: "orders-api",
  scope: "profile",
  nbf: now - 60,
  exp: now + 3600,
};

interface Setting {
  readonly options: MockOptions;
  readonly forged?: ForgeTerms;
  readonly protect?: { readonly scope: string; readonly audience?: string };
  readonly expected?: typeof reasons;
  /** The forgeries of the setting, if not all. */
  readonly only?: RegExp;
}

const profileScope = { scope: "profile", audience: api };

const settings: Readonly<Record<string, Setting>> = {
  "the server signs with RS256": {
    options: { alg: "RS256" },
    only: /\.(alg|key|signature|hs256|claims_tampered|expired)/,
  },
  "access tokens have typ JWT": { options: { accessTokenType: "JWT" }, expected: typedReasons },
  "the test gives claims": {
    options: { accessTokenType: "JWT" },
    forged: { ...terms, claims: claimsOfTest },
    protect: { scope: "profile", audience: "orders-api" },
    expected: typedReasons,
  },
  "one resource is configured": {
    options: { resources: [api] },
    forged: { scope: "orders" },
    protect: { scope: "orders" },
    expected: ordersReasons,
  },
};

for (const [where, setting] of Object.entries(settings)) {
  test(`forge: each is refused for its own fault where ${where}, and the token without a fault is accepted`, async () => {
    const { options, forged = terms, protect = profileScope, expected = reasons, only = /./ } = setting;
    await using as = await createMock({ ...quick, ...options });
    const resource = as.protect(protect);
    assert(!(await resource(bearer(await as.mint(forged))) instanceof Response));
    for (const name of refused.filter((each) => only.test(each))) {
      const { token, verdict } = await as.forge(name, forged);
      const result = await resource(bearer(token));
      assert(result instanceof Response, `${name} was accepted`);
      assertEquals(result.status, expectAnswer(name, verdict)[0], name);
      assertMatch((await result.json()).error_description, expected[name]!, name);
    }
  });
}

it("forge: missing-scope lacks any scope that an API requires, and has no other fault", async (as) => {
  const usual = "openid profile email address phone";
  for (const scope of [undefined, "openid", "profile", "orders", usual]) {
    const terms = scope === undefined ? {} : { scope };
    const { token, verdict } = await as.forge("access_token.scope_missing", terms);
    for (const asked of (scope ?? `${usual} orders`).split(" ")) {
      const result = await as.protect({ scope: asked })(bearer(token));
      assert(result instanceof Response, asked);
      assertEquals([result.status, (await result.json()).error], [verdict.status, verdict.error], asked);
    }
  }
});

test("mint, forge, protect: with several configured resources the caller must name one", async () => {
  await using as = await createMock({ ...quick, resources: ["https://other.test", api] });
  const problem = (doing: string, term: string) =>
    `Cannot ${doing} without ${term}: the resources https://other.test, ${api} are configured. ` +
    `Name one, as in { ${term}: "https://other.test" }`;
  const mintProblem = problem("mint an access token", "resource");
  await assertRejects(() => as.mint(), TypeError, mintProblem);
  await assertRejects(() => as.mint({ withoutPerson: true }), TypeError, mintProblem);
  const forgeProblem = problem("forge access_token.expired", "resource");
  await assertRejects(() => as.forge("access_token.expired"), TypeError, forgeProblem);
  assertThrows(() => as.protect(), TypeError, problem("protect", "audience"));
  // Only access tokens are for an API.
  await as.mint({ kind: "id" });
  await as.mint({ kind: "refresh" });
});

test("mint: the only configured resource is the audience, and an empty list stands for the issuer", async () => {
  await using as = await createMock({ ...quick, resources: [api] });
  const audienceOf = async (terms: MintTerms) => decodeJwt(await as.mint(terms)).aud;
  assertEquals(await audienceOf({}), api);
  assertEquals(await audienceOf({ withoutPerson: true }), api);
  assertEquals(await audienceOf({ resource: [] }), as.issuer);
});

it("forge: the terms decide everything but the fault, with the defaults of mint", async (as) => {
  const claimsOf = async (
    name: ForgeryName,
    claims: ForgeTerms["claims"] & object = { ...claimsOfTest, tenant: "acme" },
  ) => decodeJwt((await as.forge(name, { ...terms, claims })).token);
  assertEquals((await claimsOf("access_token.id_token_instead")).aud, "app");
  const others = refused.filter((name) =>
    !/\.(audience_|unreadable|id_token_instead|encrypted|serialized)/.test(name)
  );
  for (const name of others) {
    const { sub, tenant, aud } = await claimsOf(name);
    assertEquals([tenant, aud], ["acme", "orders-api"], name);
    assertEquals(sub, name === "access_token.subject_missing" ? undefined : "bob", name);
  }
  const expired = await claimsOf("access_token.expired", {});
  assertEquals([expired.aud, expired["scope"], expired.exp! - expired.iat!], [api, "profile", 3600]);
  const { token } = await as.forge("access_token.scope_missing", {});
  const result = await as.protect({ scope: "openid" })(bearer(token));
  assert(result instanceof Response);
  assertEquals(result.status, 403);
});

it("forge: expired is not revoked as well", async (as) => {
  const { token } = await as.forge("access_token.expired", {});
  as.clock.set(decodeJwt(token).exp! - 3600);
  assert(!(await as.protect({})(bearer(token)) instanceof Response));
});

test("forge: opaque tokens can have some faults only, and an error explains the others", async () => {
  await using as = await createMock({ ...quick, accessTokens: "opaque" });
  const resource = as.protect({ scope: "profile", audience: api });
  const seenBy = {
    "access_token.expired": "verification",
    "access_token.audience_wrong": "verification",
    "access_token.scope_missing": "scope",
    "access_token.revoked": "server",
    "access_token.similar_to_accepted": "verification",
    "access_token.unreadable": "verification",
  };
  for (const name of Object.keys(seenBy) as (keyof typeof seenBy)[]) {
    const { token, verdict } = await as.forge(name, terms);
    const result = await resource(bearer(token));
    assert(result instanceof Response);
    assertEquals([result.status, (await result.json()).error], [verdict.status, verdict.error], name);
    assertEquals(verdict.seenBy, seenBy[name]);
  }
  const { first: [right] } = await as.forge("access_token.similar_to_accepted", terms);
  assert(!(await resource(bearer(right!)) instanceof Response));
  await assertRejects(
    () => as.forge("access_token.alg_none", terms),
    TypeError,
    'Configure accessTokens: "jwt"',
  );
});

it("forge: the URL in a token serves the key that signed it, and a call there is seen until a reset (RFC 8725 §3.10)", async (as) => {
  const { token, requests: before } = await as.forge("access_token.key_by_url");
  assertEquals(before, []);
  const forgery = await as.forge("access_token.key_by_url");
  assertEquals(forgery.requests, []);
  const { jku } = decodeProtectedHeader(token);
  const keys = await (await as.fetch(jku!)).json() as JSONWebKeySet;
  assertEquals(
    (await jwtVerify(token, createLocalJWKSet(keys), { issuer: as.issuer })).payload.iss,
    as.issuer,
  );
  // it stays among the last calls there, whatever the server itself answers
  for (let count = 0; count < 100; count++) await as.fetch(`${as.issuer}/oauth2/jwks`);
  assertEquals(forgery.requests.map(({ method, path }) => [method, path]), [["GET", "/jwks"]]);
  const later = await as.forge("access_token.key_by_url");
  assertEquals(later.requests, []);
  // Of more calls there than a hundred, the last ones stay.
  for (let count = 0; count <= 100; count++) await as.fetch(`${new URL(jku!).origin}/${count}`);
  const paths = later.requests.map(({ path }) => path);
  assertEquals([paths.length, paths[0], paths.at(-1)], [100, "/1", "/100"]);
  as.reset();
  assertEquals(forgery.requests, []);
  await assertRejects(() => as.fetch(jku!), TypeError, "answers for");
});

it("forge: an unknown name or term is refused, and so is kind, which the name decides", async (as) => {
  const known = "known are username, client, scope, resource, claims, nonce, expiresIn, withoutPerson";
  for (const term of ["who", "kind"]) {
    const message = `Cannot forge access_token.expired: ${term} is not known: ${known}`;
    await assertRejects(() => as.forge("access_token.expired", { [term]: "id" }), TypeError, message);
  }
  const unknown = 'There is no forgery "broken": as.forgeries lists them';
  await assertRejects(() => as.forge("broken" as ForgeryName), TypeError, unknown);
  const suggestion = "Did you mean access_token.expired?";
  await assertRejects(() => as.forge("expird" as ForgeryName), TypeError, suggestion);
});

it("forge: the token that an API gets first differs from the faulty one only as the fault says", async (as) => {
  const similar = await as.forge("access_token.similar_to_accepted", terms);
  const [right] = similar.first;
  assertEquals(similar.first.length, 1);
  assertEquals(similar.token.split(".").slice(0, 2), right!.split(".").slice(0, 2));
  await verifyWithJose(right!, as);
  const longer = await as.forge("access_token.similar_to_accepted", { ...terms, variant: "claims" });
  assertEquals(longer.token.split(".")[2], longer.first[0]!.split(".")[2]);
  const { first: [foreign], token } = await as.forge("access_token.two_issuers_one_kid", terms);
  assertEquals(decodeProtectedHeader(token), decodeProtectedHeader(foreign!));
  const [{ iss, ...others }, claims] = [decodeJwt(foreign!), decodeJwt(token)];
  assertEquals({ ...others, iss: as.issuer }, claims);
  // The foreign issuer publishes the key of both.
  const keys = await (await as.fetch(`${iss}/.well-known/jwks.json`)).json();
  await jwtVerify(token, createLocalJWKSet(keys));
  assertEquals((await as.forge("access_token.expired", terms)).first, []);
});

it("forge: the key of a fault is published once, however often it is forged and whatever else is on", async (as) => {
  as.misbehave("id_token.aud_wrong");
  const listKids = async () => {
    const { keys } = await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json() as JSONWebKeySet;
    return keys.map(({ kid }) => kid);
  };
  const forgeKid = async () => decodeProtectedHeader((await as.forge("access_token.key_use_enc")).token).kid;
  const kid = await forgeKid();
  const published = await listKids();
  assert(published.includes(kid));
  assertEquals([await forgeKid(), await listKids()], [kid, published]);
});

it("forge: what only an examination judges is in no list, and publishes no key", async (as) => {
  const load = async () => await (await as.fetch(`${as.issuer}/oauth2/jwks`)).json();
  const before = await load();
  const faults = "acr_weak auth_time_old hs256_alg_unpublished huge key_replaced key_withdrawn".split(" ");
  for (const forgery of faults.map((fault) => `access_token.${fault}` as ForgeryName)) {
    assert(!as.forgeries.includes(forgery), forgery);
    const { name } = await as.forge(forgery, terms);
    assertEquals([name, await load()], [forgery, before]);
  }
});
