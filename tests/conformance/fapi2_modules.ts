/** The modules of the plan fapi2-security-profile-final-test-plan. The plan of message signing has them as well. */

import { assert, assertEquals, assertMatch, assertNotEquals } from "@std/assert";
import type { JWTPayload } from "jose";
import { encodePart, readTokens, refusalOf, type Tokens } from "../tokens/bearer.ts";
import { createBrowser, encodeForm } from "../world.ts";
import {
  algorithms,
  type Answer,
  type ApiCall,
  type Call,
  nonce,
  type Proof,
  proofKeyOf,
  rsaKey,
  state,
  type Suite,
  type Variant,
  verifyJwt,
  type Visit,
} from "./fapi2_driver.ts";

export interface Module {
  /** The name in the plan, without `fapi2-security-profile-final-`. */
  readonly name: string;
  /** The sections that the module checks. `SP` is the FAPI 2.0 Security Profile. */
  readonly spec: string;
  /** The plan has the module only with this choice. */
  readonly only?: "OpenID" | "DPoP" | "private_key_jwt";
  readonly walk: (suite: Suite) => Promise<void>;
}

export const modules: readonly Module[] = [
  { name: "discovery-end-point-verification", spec: "SP §5.3.2.1-1, §5.4.1", walk: walkDiscovery },
  { name: "happy-flow", spec: "SP §5.3.2.1, §5.3.2.2, §5.3.4", walk: walkHappyFlow },
  { name: "user-rejects-authentication", spec: "RFC 6749 §4.1.2.1", walk: walkDenial },
  {
    name: "ensure-authorization-request-without-state-success",
    spec: "RFC 6749 §4.1.2",
    walk: (suite) => walkState(suite, undefined),
  },
  {
    name: "ensure-authorization-request-without-nonce-success",
    spec: "OpenID Connect Core §3.1.2.1",
    only: "OpenID",
    walk: (suite) => walkNonce(suite, undefined),
  },
  {
    name: "ensure-authorization-request-with-64-char-nonce-success",
    spec: "SP §5.3.2.2-14",
    only: "OpenID",
    walk: (suite) => walkNonce(suite, "n".repeat(64)),
  },
  {
    name: "ensure-other-scope-order-succeeds",
    spec: "RFC 6749 §3.3",
    only: "OpenID",
    walk: walkScopeOrder,
  },
  {
    name: "test-claims-parameter-identity-claims",
    spec: "OpenID Connect Core §5.5",
    only: "OpenID",
    walk: walkClaims,
  },
  { name: "access-token-type-header-case-sensitivity", spec: "RFC 9110 §11.1", walk: walkSchemeCase },
  { name: "check-dpop-proof-nbf-exp", spec: "RFC 9449 §4.2", only: "DPoP", walk: walkProofLifetime },
  {
    name: "ensure-dpopproof-with-iat-10seconds-before-succeeds",
    spec: "RFC 9449 §11.1",
    only: "DPoP",
    walk: (suite) => walkProofClock(suite, -10),
  },
  {
    name: "ensure-dpopproof-with-iat-10seconds-after-succeeds",
    spec: "SP §5.3.2.1-13",
    only: "DPoP",
    walk: (suite) => walkProofClock(suite, 10),
  },
  {
    name: "ensure-mismatched-dpop-jkt-fails",
    spec: "RFC 9449 §10.1",
    only: "DPoP",
    walk: walkOtherKeyNamed,
  },
  {
    name: "ensure-token-endpoint-fails-with-mismatched-dpop-proof-jkt",
    spec: "RFC 9449 §10.1",
    only: "DPoP",
    walk: (suite) => walkOtherKeyProved(suite, { proof: {} }),
  },
  {
    name: "ensure-token-endpoint-fails-with-mismatched-dpop-jkt",
    spec: "RFC 9449 §10",
    only: "DPoP",
    walk: (suite) => walkOtherKeyProved(suite, { params: { dpop_jkt: suite.first.proofKey.thumbprint } }),
  },
  {
    name: "ensure-dpopproof-at-par-endpoint-binding-success",
    spec: "SP §5.3.2.1-12, RFC 9449 §10.1",
    only: "DPoP",
    walk: (suite) => walkBoundCode(suite, { proof: {} }),
  },
  {
    name: "ensure-dpop-auth-code-binding-success",
    spec: "SP §5.3.2.1-12, RFC 9449 §10",
    only: "DPoP",
    walk: (suite) => walkBoundCode(suite, { params: { dpop_jkt: suite.first.proofKey.thumbprint } }),
  },
  {
    name: "ensure-different-nonce-inside-and-outside-request-object",
    spec: "RFC 9126 §4",
    only: "OpenID",
    walk: walkOtherNonceOutside,
  },
  {
    name: "ensure-different-state-inside-and-outside-request-object",
    spec: "RFC 9126 §4",
    walk: walkOtherStateOutside,
  },
  {
    name: "ensure-authorization-request-with-long-nonce",
    spec: "OpenID Connect Core §3.1.3.6",
    only: "OpenID",
    walk: (suite) => walkNonce(suite, "n".repeat(384)),
  },
  {
    name: "ensure-authorization-request-with-long-state",
    spec: "SP §5.3.2.2 note 4",
    walk: (suite) => walkState(suite, "s".repeat(1100)),
  },
  { name: "state-only-outside-request-object-not-used", spec: "RFC 9126 §4", walk: walkStateOutside },
  {
    name: "ensure-request-object-without-redirect-uri-fails",
    spec: "SP §5.3.2.2-6",
    walk: walkNoRedirectUri,
  },
  {
    name: "plain-fapi-tolerate-unregistered-redirect-uri",
    spec: "RFC 9126 §2.4",
    walk: walkUnregisteredRedirectUri,
  },
  {
    name: "ensure-unsigned-authorization-request-without-using-par-fails",
    spec: "SP §5.3.2.2-3",
    walk: walkNotPushed,
  },
  {
    name: "ensure-redirect-uri-in-authorization-request",
    spec: "SP §5.3.2.2-6",
    walk: walkNoRedirectUri,
  },
  {
    name: "ensure-response-type-code-idtoken-fails",
    spec: "SP §5.3.2.2-1",
    walk: (suite) => walkResponseType(suite, "code id_token"),
  },
  {
    name: "ensure-response-type-token-fails",
    spec: "SP §5.3.2.2-1",
    walk: (suite) => walkResponseType(suite, "token"),
  },
  { name: "ensure-client-id-in-token-endpoint", spec: "RFC 6749 §5.2", walk: walkOtherClientId },
  {
    name: "ensure-holder-of-key-required",
    spec: "SP §5.3.2.1-4, §5.3.2.1-5",
    walk: walkNoProof,
  },
  {
    name: "ensure-authorization-code-is-bound-to-client",
    spec: "RFC 6749 §4.1.3",
    walk: walkCodeOfOtherClient,
  },
  {
    name: "attempt-reuse-authorization-code-after-one-second",
    spec: "SP §5.3.2.2-9, RFC 6749 §4.1.2",
    walk: walkCodeTwice,
  },
  {
    name: "ensure-token-endpoint-fails-with-expired-auth-code",
    spec: "SP §5.3.2.1-11",
    walk: walkExpiredCode,
  },
  {
    name: "ensure-signed-client-assertion-with-RS256-fails",
    spec: "SP §5.4.1",
    only: "private_key_jwt",
    walk: walkRs256Assertion,
  },
  {
    name: "ensure-client-assertion-in-token-endpoint",
    spec: "SP §5.3.2.1-6",
    only: "private_key_jwt",
    walk: walkNoAssertion,
  },
  {
    name: "ensure-client-assertion-with-exp-is-5-minutes-in-past-fails",
    spec: "RFC 7523 §3-4",
    only: "private_key_jwt",
    walk: (suite) => walkWrongAssertion(suite, { exp: suite.world.clock.now - 300 }, "assertion_expired"),
  },
  {
    name: "ensure-client-assertion-with-wrong-aud-fails",
    spec: "SP §5.3.2.1-8",
    only: "private_key_jwt",
    walk: (suite) => walkWrongAssertion(suite, { aud: "https://other.example" }, "assertion_audience"),
  },
  {
    name: "ensure-client-assertion-with-no-sub-fails",
    spec: "RFC 7523 §3-2",
    only: "private_key_jwt",
    walk: (suite) => walkWrongAssertion(suite, { sub: undefined }, "client_unknown"),
  },
  { name: "dpop-negative-tests", spec: "RFC 9449 §4.3, §7.1, §7.2", only: "DPoP", walk: walkWrongProofs },
  { name: "refresh-token", spec: "SP §5.3.2.1-9, RFC 6749 §6", walk: walkRefresh },
  {
    name: "par-ensure-reused-request-uri-prior-to-auth-completion-succeeds",
    spec: "SP §5.3.2.2 note 3",
    walk: walkRequestOpenedTwice,
  },
  { name: "par-attempt-reuse-request_uri", spec: "RFC 9126 §4", walk: walkUsedRequest },
  {
    name: "par-attempt-to-use-expired-request_uri",
    spec: "SP §5.3.2.2-12, RFC 9126 §2.2",
    walk: walkExpiredRequest,
  },
  {
    name: "par-ensure-jwt-client-assertions-nbf-8-seconds-in-the-future-is-accepted",
    spec: "SP §5.3.2.1-13",
    only: "private_key_jwt",
    walk: walkAssertionOfFastClock,
  },
  {
    name: "par-ensure-jwt-client-assertions-nbf-over-60-seconds-in-the-future-fails",
    spec: "SP §5.3.2.1-13",
    only: "private_key_jwt",
    walk: walkAssertionOfFuture,
  },
  {
    name: "par-attempt-to-use-request_uri-for-different-client",
    spec: "RFC 9126 §2.2",
    walk: walkRequestOfOtherClient,
  },
  {
    name: "par-authorization-request-containing-request_uri-form-param",
    spec: "RFC 9126 §2.1",
    walk: walkReferencePushed,
  },
  { name: "par-attempt-invalid-http-method", spec: "RFC 9126 §2.3", walk: walkMethods },
  { name: "par-ensure-pkce-required", spec: "SP §5.3.2.2-5", walk: walkNoChallenge },
  {
    name: "ensure-pkce-code-verifier-required",
    spec: "RFC 7636 §4.6",
    walk: (suite) => walkVerifier(suite, undefined, "verifier_missing"),
  },
  {
    name: "incorrect-pkce-code-verifier-rejected",
    spec: "RFC 7636 §4.6",
    walk: (suite) => walkVerifier(suite, "v".repeat(43), "verifier_wrong"),
  },
  { name: "par-plain-pkce-rejected", spec: "SP §5.3.2.2-5", walk: walkPlainChallenge },
  { name: "par-without-duplicate-parameters", spec: "RFC 9101 §5", walk: walkReferenceAlone },
  {
    name: "par-test-array-as-audience-fails",
    spec: "SP §5.3.2.1-8",
    only: "private_key_jwt",
    walk: async (suite) => {
      const { issuer } = suite.world;
      await walkAudience(suite, [issuer]);
      await walkAudience(suite, [issuer, `${issuer}/oauth2/par`, `${issuer}/oauth2/token`]);
    },
  },
  {
    name: "par-test-par-endpoint-url-as-audience-fails",
    spec: "SP §5.3.2.1-8",
    only: "private_key_jwt",
    walk: (suite) => walkAudience(suite, `${suite.world.issuer}/oauth2/par`),
  },
  {
    name: "par-test-token-endpoint-url-as-audience-fails",
    spec: "SP §5.3.2.1-8",
    only: "private_key_jwt",
    walk: (suite) => walkAudience(suite, `${suite.world.issuer}/oauth2/token`),
  },
];

/** Whether the plan has the module with these choices. */
export function belongsTo({ only }: Module, { clientAuth, constraint, openid }: Variant): boolean {
  return only === undefined || only === clientAuth || only === constraint || only === "OpenID" && openid;
}

type Refused = readonly [status: number, error: string, reason: string];

async function requireRefused(suite: Suite, answer: Promise<Response>, expected: Refused): Promise<void> {
  assertEquals(await refusalOf(suite.world, answer), expected);
}

/** Requires a page of the server that refuses the request. The browser does not leave for the client. */
function requireRefusalPage(suite: Suite, { page }: Visit, error: string, reason: string): void {
  const refusal = suite.world.lastRefusal();
  assertEquals([page.status, page.leftFor, refusal?.error, refusal?.reason], [400, undefined, error, reason]);
}

/** Requires the parameters of a valid response, and returns the code. Without a state, `expected` is empty. */
function readCode(suite: Suite, { status, params }: Answer, expected = state): string {
  assertEquals(status, 303);
  assertEquals([...params.keys()].filter((name) => !/^dummy\d$/.test(name)).sort(), [
    "code",
    "iss",
    ...expected === "" ? [] : ["state"],
  ]);
  assertEquals(params.get("state") ?? "", expected);
  assertEquals(params.get("iss"), suite.world.issuer);
  assertMatch(params.get("code")!, /^[\w.~-]{22,}$/);
  return params.get("code")!;
}

/** Verifies an ID token for the client, if the variant is OpenID. */
async function readIdToken(
  { world, variant }: Suite,
  { id_token: idToken }: Tokens,
  client: string,
): Promise<JWTPayload> {
  if (!variant.openid) {
    assertEquals(idToken, undefined);
    return {};
  }
  const claims = await verifyJwt(world, idToken, client);
  assert(claims.sub !== undefined && claims.iat !== undefined);
  return claims;
}

async function requireApiOpens(suite: Suite, tokens: Tokens, call?: ApiCall): Promise<void> {
  const response = await suite.callApi(tokens, call);
  assertEquals(response.status, 200, await response.text());
}

async function walkDiscovery({ world, variant }: Suite): Promise<void> {
  const path = variant.openid ? "openid-configuration" : "oauth-authorization-server";
  const response = await world.get(`/.well-known/${path}`);
  assertEquals([response.status, response.headers.get("content-type")], [200, "application/json"]);
  const metadata = await response.json();
  assertEquals(metadata.issuer, world.issuer);
  for (const name of ["authorization", "token", "pushed_authorization_request"]) {
    assertEquals(new URL(metadata[`${name}_endpoint`]).origin, world.issuer, name);
  }
  assertEquals(new URL(metadata.jwks_uri).protocol, "https:");
  assertEquals(metadata.authorization_response_iss_parameter_supported, true);
  assertEquals(metadata.code_challenge_methods_supported, ["S256"]);
  assertEquals(metadata.response_types_supported, ["code"]);
  assert(metadata.grant_types_supported.includes("refresh_token"));
  if (variant.signsResponses) assert(metadata.response_modes_supported.includes("jwt"));
  assert(metadata.scopes_supported.includes("openid"));
  const methods: readonly string[] = metadata.token_endpoint_auth_methods_supported;
  assert(methods.includes(variant.clientAuth === "mTLS" ? "tls_client_auth" : "private_key_jwt"));
  if (variant.constraint === "mTLS") assertEquals(metadata.tls_client_certificate_bound_access_tokens, true);
  for (
    const name of [
      "id_token_signing_alg_values_supported",
      "token_endpoint_auth_signing_alg_values_supported",
      "request_object_signing_alg_values_supported",
      "dpop_signing_alg_values_supported",
      "authorization_signing_alg_values_supported",
    ]
  ) {
    const announced: readonly string[] = metadata[name];
    assert(announced.length > 0, name);
    assertEquals(announced.filter((alg) => !algorithms.includes(alg)), [], name);
  }
}

async function walkHappyFlow(suite: Suite): Promise<void> {
  const { first, second, world } = suite;
  const pushed = await suite.push();
  const { request_uri: requestUri, expires_in: lifetime } = await pushed.json();
  assertEquals(pushed.status, 201);
  assertMatch(pushed.headers.get("cache-control")!, /no-store/);
  assert(lifetime >= 5 && lifetime < 600, `${lifetime}`);
  const outside = { client_id: first.id, response_type: "code" };
  const code = readCode(suite, await suite.decide(await suite.open(requestUri, outside)));
  const response = await suite.redeem(code);
  assertMatch(response.headers.get("cache-control")!, /no-store/);
  const tokens = await readTokens(response);
  assertEquals(tokens.token_type.toLowerCase(), suite.variant.constraint === "DPoP" ? "dpop" : "bearer");
  assert(tokens.access_token.length >= 22);
  const idToken = await readIdToken(suite, tokens, first.id);
  if (suite.variant.openid) assertEquals(idToken["nonce"], nonce);
  await requireApiOpens(suite, tokens);
  // RFC 9110 §12.5.1.
  for (
    const accept of [
      "application/json;charset=UTF-8",
      "application/json, application/json;charset=UTF-8;q=0.9, */*",
    ]
  ) {
    await requireApiOpens(suite, tokens, { headers: { accept } });
  }
  // SP §5.3.4-2: no access tokens in the query.
  const inQuery = await world.get(`${suite.api}?access_token=${tokens.access_token}`);
  assertEquals(inQuery.status, 401);

  const answer = await suite.authorize({ client: second, ...suite.nameKey(second) });
  assert(answer.url.href.startsWith(`${second.redirectUri}&`));
  const otherCode = readCode(suite, answer);
  assertNotEquals(otherCode, code);
  const others = await readTokens(await suite.redeem(otherCode, { client: second }));
  await readIdToken(suite, others, second.id);
  await requireApiOpens(suite, others, { client: second });
  await requireOtherKeyFails(suite, others);
}

/** The first client holds another key than the token of the second client is bound to. */
async function requireOtherKeyFails(suite: Suite, tokens: Tokens): Promise<void> {
  await requireRefused(suite, suite.callApi(tokens), [401, "invalid_token", "token_key_differs"]);
}

async function walkDenial(suite: Suite): Promise<void> {
  const long = "s".repeat(128);
  for (const client of [suite.first, suite.second]) {
    const requestUri = await suite.reference({ client, params: { state: long } });
    const visit = await suite.open(requestUri, { client_id: client.id });
    const { url, params } = await suite.decide(visit, "deny");
    assert(url.href.startsWith(client.redirectUri));
    assertEquals([params.get("error"), params.get("state"), params.get("iss"), params.get("code")], [
      "access_denied",
      long,
      suite.world.issuer,
      null,
    ]);
  }
}

async function walkState(suite: Suite, sent: string | undefined): Promise<void> {
  const code = readCode(suite, await suite.authorize({ params: { state: sent } }), sent ?? "");
  await requireApiOpens(suite, await readTokens(await suite.redeem(code)));
}

async function walkNonce(suite: Suite, sent: string | undefined): Promise<void> {
  const tokens = await suite.tokens({ params: { nonce: sent } });
  assertEquals((await readIdToken(suite, tokens, suite.first.id))["nonce"], sent);
}

async function walkScopeOrder(suite: Suite): Promise<void> {
  for (const scope of ["openid profile email", "email openid profile"]) {
    const tokens = await suite.tokens({ params: { scope } });
    assertEquals(tokens.scope.split(" ").sort(), ["email", "openid", "profile"]);
    await readIdToken(suite, tokens, suite.first.id);
  }
}

async function walkClaims(suite: Suite): Promise<void> {
  const metadata = await (await suite.world.get("/.well-known/openid-configuration")).json();
  assertEquals(metadata.claims_parameter_supported, true);
  const names: readonly string[] = metadata.claims_supported;
  const wanted = Object.fromEntries(names.map((name) => [name, null]));
  const claims = JSON.stringify({ userinfo: wanted, id_token: wanted });
  const tokens = await suite.tokens({ params: { claims } });
  const idToken = await readIdToken(suite, tokens, suite.first.id);
  const person = await (await suite.callApi(tokens)).json();
  // The person has no other claims.
  for (const name of ["name", "email", "email_verified"]) {
    assert(names.includes(name), name);
    assertNotEquals(person[name], undefined, name);
    assertEquals(idToken[name], person[name], name);
  }
}

async function walkSchemeCase(suite: Suite): Promise<void> {
  const tokens = await suite.tokens();
  const scheme = tokens.token_type;
  for (const each of [scheme.toLowerCase(), scheme.toUpperCase()]) {
    await requireApiOpens(suite, tokens, { scheme: each });
  }
}

/** Plays a flow whose proofs have these claims at each endpoint. */
async function walkProof(suite: Suite, proof: Proof): Promise<void> {
  const code = await suite.code({ proof });
  const tokens = await readTokens(await suite.redeem(code, { proof }));
  await requireApiOpens(suite, tokens, { proof });
}

async function walkProofLifetime(suite: Suite): Promise<void> {
  const { now } = suite.world.clock;
  await walkProof(suite, { claims: { nbf: now, exp: now + 300 } });
}

async function walkProofClock(suite: Suite, seconds: number): Promise<void> {
  await walkProof(suite, { claims: { iat: suite.world.clock.now + seconds } });
}

async function walkOtherKeyNamed(suite: Suite): Promise<void> {
  const params = { dpop_jkt: suite.second.proofKey.thumbprint };
  await requireRefused(suite, suite.push({ proof: {}, params }), [
    400,
    "invalid_request",
    "bound_key_differs",
  ]);
}

async function walkOtherKeyProved(suite: Suite, pushed: Call): Promise<void> {
  const code = await suite.code(pushed);
  const answer = suite.redeem(code, { proof: { key: suite.second.proofKey } });
  await requireRefused(suite, answer, [400, "invalid_grant", "key_differs"]);
}

async function walkBoundCode(suite: Suite, pushed: Call): Promise<void> {
  const code = await suite.code(pushed);
  await requireApiOpens(suite, await readTokens(await suite.redeem(code)));
}

async function walkOtherNonceOutside(suite: Suite): Promise<void> {
  const code = readCode(suite, await suite.authorize({}, { nonce: "another nonce" }));
  const tokens = await readTokens(await suite.redeem(code));
  assertEquals((await readIdToken(suite, tokens, suite.first.id))["nonce"], nonce);
}

async function walkOtherStateOutside(suite: Suite): Promise<void> {
  readCode(suite, await suite.authorize({}, { state: "another state" }));
}

async function walkStateOutside(suite: Suite): Promise<void> {
  readCode(suite, await suite.authorize({ params: { state: undefined } }, { state }), "");
}

async function walkNoRedirectUri(suite: Suite): Promise<void> {
  const answer = suite.push({ params: { redirect_uri: undefined } });
  const reason = suite.variant.openid ? "redirect_uri_required_by_openid" : "redirect_uri_missing";
  await requireRefused(suite, answer, [400, "invalid_request", reason]);
}

async function walkUnregisteredRedirectUri(suite: Suite): Promise<void> {
  const answer = suite.push({ params: { redirect_uri: `${suite.first.redirectUri}/other` } });
  await requireRefused(suite, answer, [400, "invalid_request", "redirect_uri_unregistered"]);
}

async function walkNotPushed(suite: Suite): Promise<void> {
  const query = encodeForm(suite.paramsOf());
  const page = await createBrowser(suite.world).open(`/oauth2/authorize?${query}`);
  const reason = suite.world.lastRefusal()?.reason;
  const { params } = await suite.readAnswer(page);
  assertEquals([params.get("error"), params.get("code"), reason], [
    "invalid_request",
    null,
    "request_source_required",
  ]);
}

async function walkResponseType(suite: Suite, type: string): Promise<void> {
  const answer = suite.push({ params: { response_type: type } });
  await requireRefused(suite, answer, [400, "unsupported_response_type", "response_type_unsupported"]);
}

async function walkOtherClientId(suite: Suite): Promise<void> {
  const code = await suite.code();
  const { first, second } = suite;
  const client = { ...first, id: second.id };
  const answer = suite.redeem(code, { client, params: { client_id: second.id } });
  const reason = suite.variant.clientAuth === "mTLS" ? "certificate_untrusted" : "assertion_signature";
  await requireRefused(suite, answer, [400, "invalid_client", reason]);
}

/** The refusal of a token request without proof. If the certificate is the proof, it may authenticate the client, too. */
function unproven({ variant: { clientAuth, constraint } }: Suite): Refused {
  return clientAuth === "mTLS" && constraint === "mTLS"
    ? [400, "invalid_client", "certificate_missing"]
    : [400, "invalid_request", "proof_missing"];
}

async function walkNoProof(suite: Suite): Promise<void> {
  const answer = suite.redeem(await suite.code(), { proof: "absent" });
  await requireRefused(suite, answer, unproven(suite));
}

async function walkCodeOfOtherClient(suite: Suite): Promise<void> {
  const answer = suite.redeem(await suite.code(), { client: suite.second });
  await requireRefused(suite, answer, [400, "invalid_grant", "code_of_another_client"]);
}

async function walkCodeTwice(suite: Suite): Promise<void> {
  const code = await suite.code();
  const tokens = await readTokens(await suite.redeem(code));
  suite.world.clock.advance(1);
  await requireRefused(suite, suite.redeem(code), [400, "invalid_grant", "code_replayed"]);
  assertEquals((await suite.callApi(tokens)).status, 401);
}

async function walkExpiredCode(suite: Suite): Promise<void> {
  const code = await suite.code();
  suite.world.clock.advance(61);
  await requireRefused(suite, suite.redeem(code), [400, "invalid_grant", "code_expired"]);
}

async function walkRs256Assertion(suite: Suite): Promise<void> {
  const { privateKey } = await proofKeyOf(rsaKey, "RS256");
  const assertion = { header: { alg: "RS256", kid: "RSA" }, key: privateKey };
  const answer = suite.redeem(await suite.code(), { assertion });
  await requireRefused(suite, answer, [400, "invalid_client", "assertion_signature"]);
}

async function walkNoAssertion(suite: Suite): Promise<void> {
  const code = await suite.code();
  const answer = suite.redeem(code, { assertion: "absent", params: { client_id: suite.first.id } });
  await requireRefused(suite, answer, [400, "invalid_client", "auth_method_refused"]);
}

async function walkWrongAssertion(
  suite: Suite,
  claims: Readonly<Record<string, unknown>>,
  reason: string,
): Promise<void> {
  const answer = suite.redeem(await suite.code(), { assertion: { claims } });
  await requireRefused(suite, answer, [400, "invalid_client", reason]);
}

async function walkWrongProofs(suite: Suite): Promise<void> {
  const { second, api, world } = suite;
  const client = second;
  const tokens = await suite.tokens({ client });
  const { now } = world.clock;
  const ok = undefined;
  const wrong = (reason: string): Refused => [401, "invalid_dpop_proof", reason];
  const { kty, n, e, d } = rsaKey;
  const header = (change: (header: Record<string, unknown>) => void) => (signed: string) => {
    const [head = "", ...rest] = signed.split(".");
    const members = JSON.parse(atob(head.replaceAll("-", "+").replaceAll("_", "/")));
    change(members);
    return [encodePart(members), ...rest].join(".");
  };
  const rows: readonly (readonly [name: string, call: ApiCall, expected: Refused | undefined])[] = [
    ["two proofs", { proof: { text: (signed) => `${signed}, ${signed}` } }, wrong("dpop_header_repeated")],
    ["text that is not a JWT", { proof: { text: (signed) => signed.slice(9) } }, wrong("dpop_malformed")],
    ["no typ", { proof: { header: { typ: undefined } } }, wrong("dpop_type")],
    ["no alg", { proof: { text: header((each) => delete each["alg"]) } }, wrong("dpop_malformed")],
    ["no jwk", { proof: { header: { jwk: undefined } } }, wrong("dpop_key")],
    ["no jti", { proof: { claims: { jti: undefined } } }, wrong("dpop_id")],
    ["no htm", { proof: { claims: { htm: undefined } } }, wrong("dpop_method")],
    ["no htu", { proof: { claims: { htu: undefined } } }, wrong("dpop_url")],
    ["no iat", { proof: { claims: { iat: undefined } } }, wrong("dpop_time")],
    ["no ath", { proof: { claims: { ath: undefined } } }, wrong("dpop_access_token")],
    ["another typ", { proof: { header: { typ: "jwt" } } }, wrong("dpop_type")],
    ["RS256", { proof: { key: await proofKeyOf(rsaKey, "RS256") } }, wrong("dpop_algorithm")],
    ["alg none", {
      proof: { text: header((each) => each["alg"] = "none") },
    }, wrong("dpop_algorithm")],
    ["a changed signature", {
      proof: {
        text: (signed) => signed.slice(0, -8) + (signed.at(-8) === "A" ? "B" : "A") + signed.slice(-7),
      },
    }, wrong("dpop_signature")],
    ["a private key in jwk", { proof: { header: { jwk: { kty, n, e, d } } } }, wrong("dpop_key")],
    ["another htm", { proof: { claims: { htm: "PUT" } } }, wrong("dpop_method")],
    ["htu with query and fragment", { proof: { claims: { htu: `${api}?a=b#c` } } }, ok],
    ["htu without the query of the request", { query: "?a=b" }, ok],
    ["another htu", { proof: { claims: { htu: `${api}/other` } } }, wrong("dpop_url")],
    ["iat in an hour", { proof: { claims: { iat: now + 3600 } } }, wrong("dpop_time")],
    ["iat an hour ago", { proof: { claims: { iat: now - 3600 } } }, wrong("dpop_time")],
    ["a jti, first use", { proof: { claims: { jti: "used twice" } } }, ok],
    ["a jti, second use", { proof: { claims: { jti: "used twice" } } }, wrong("dpop_replayed")],
    ["another ath", { proof: { accessToken: "another token" } }, wrong("dpop_access_token")],
    ["another key", { proof: { key: suite.first.proofKey } }, [401, "invalid_token", "token_key_differs"]],
    ["more members and claims", { proof: { header: { more: 1 }, claims: { more: "claims" } } }, ok],
    ["htu in capitals", {
      proof: { claims: { htu: api.replace(/^https:\/\/[^/:]+/, (origin) => origin.toUpperCase()) } },
    }, ok],
    [
      "htu with the default port",
      { proof: { claims: { htu: api.replace("localhost", "localhost:443") } } },
      ok,
    ],
    ["no proof", { proof: "absent" }, [401, "invalid_token", "token_key_unproven"]],
    ["no proof, and Bearer", { proof: "absent", scheme: "Bearer" }, [
      401,
      "invalid_token",
      "token_scheme_differs",
    ]],
    ["a valid proof", {}, ok],
  ];
  for (const [name, call, expected] of rows) {
    const response = await suite.callApi(tokens, { client, ...call });
    const refusal = world.lastRefusal();
    const received = refusal && [response.status, refusal.error, refusal.reason];
    assertEquals([name, received], [name, expected]);
  }
}

async function walkRefresh(suite: Suite): Promise<void> {
  const { first, second, world, variant } = suite;
  const tokens = await suite.tokens();
  const { refresh_token: refreshToken } = tokens;
  assertMatch(refreshToken, /^[\x20-\x7e]+$/);
  const before = await readIdToken(suite, tokens, first.id);
  for (const wait of [1, 30]) {
    world.clock.advance(wait);
    const refreshed = await readTokens(await suite.refresh(refreshToken));
    // SP §5.3.2.1-9: the server does not rotate refresh tokens.
    assertEquals(refreshed.refresh_token ?? refreshToken, refreshToken);
    assertNotEquals(refreshed.access_token, tokens.access_token);
    if (variant.openid && refreshed.id_token !== undefined) {
      const after = await readIdToken(suite, refreshed, first.id);
      // OpenID Connect Core §12.2.
      assertEquals([after.sub, after["auth_time"]], [before.sub, before["auth_time"]]);
      assert(after.iat! > before.iat!);
    }
    await requireApiOpens(suite, refreshed);
  }
  await requireRefused(suite, suite.refresh(refreshToken, { proof: "absent" }), unproven(suite));
  const others = await suite.tokens({ client: second });
  await readTokens(await suite.refresh(others.refresh_token, { client: second }));
  await requireOtherKeyFails(suite, others);
  await requireRefused(suite, suite.refresh(others.refresh_token), [
    400,
    "invalid_grant",
    "refresh_of_another_client",
  ]);
}

async function walkRequestOpenedTwice(suite: Suite): Promise<void> {
  const requestUri = await suite.reference();
  const { browser } = await suite.open(requestUri);
  readCode(suite, await suite.decide(await suite.open(requestUri, undefined, browser)));
}

async function walkUsedRequest(suite: Suite): Promise<void> {
  const requestUri = await suite.reference();
  await suite.decide(await suite.open(requestUri));
  requireRefusalPage(suite, await suite.open(requestUri), "invalid_request_uri", "pushed_request_used");
}

async function walkExpiredRequest(suite: Suite): Promise<void> {
  const { request_uri: requestUri, expires_in: lifetime } = await (await suite.push()).json();
  suite.world.clock.advance(lifetime + 1);
  requireRefusalPage(suite, await suite.open(requestUri), "invalid_request_uri", "pushed_request_expired");
}

async function walkAssertionOfFastClock(suite: Suite): Promise<void> {
  const later = suite.world.clock.now + 8;
  const claims = { nbf: later, iat: later };
  assertEquals((await suite.push({ assertion: { claims } })).status, 201);
}

async function walkAssertionOfFuture(suite: Suite): Promise<void> {
  const later = suite.world.clock.now + 61;
  const claims = { nbf: later, iat: later, exp: later + 60 };
  const answer = suite.push({ assertion: { claims } });
  await requireRefused(suite, answer, [400, "invalid_client", "assertion_expired"]);
}

async function walkRequestOfOtherClient(suite: Suite): Promise<void> {
  const visit = await suite.open(await suite.reference(), { client_id: suite.second.id });
  requireRefusalPage(suite, visit, "invalid_request", "client_id_differs");
}

async function walkReferencePushed(suite: Suite): Promise<void> {
  const request_uri = await suite.reference();
  const answer = suite.push({ outside: { request_uri } });
  await requireRefused(suite, answer, [400, "invalid_request", "reference_pushed"]);
}

async function walkMethods({ world }: Suite): Promise<void> {
  for (const method of ["GET", "PUT"]) {
    const response = await world.fetch(new Request(`${world.issuer}/oauth2/par`, { method }));
    assertEquals(response.status, 405, method);
  }
}

async function walkNoChallenge(suite: Suite): Promise<void> {
  const answer = suite.push({ params: { code_challenge: undefined, code_challenge_method: undefined } });
  await requireRefused(suite, answer, [400, "invalid_request", "challenge_missing"]);
}

async function walkPlainChallenge(suite: Suite): Promise<void> {
  const answer = suite.push({ params: { code_challenge_method: "plain" } });
  await requireRefused(suite, answer, [400, "invalid_request", "challenge_method_unsupported"]);
}

async function walkVerifier(suite: Suite, verifier: string | undefined, reason: string): Promise<void> {
  const answer = suite.redeem(await suite.code(), { params: { code_verifier: verifier } });
  await requireRefused(suite, answer, [400, "invalid_grant", reason]);
}

async function walkReferenceAlone(suite: Suite): Promise<void> {
  const requestUri = await suite.reference();
  readCode(suite, await suite.decide(await suite.open(requestUri, { client_id: suite.first.id })));
}

async function walkAudience(suite: Suite, aud: string | readonly string[]): Promise<void> {
  const answer = suite.push({ assertion: { claims: { aud } } });
  await requireRefused(suite, answer, [400, "invalid_client", "assertion_audience"]);
}
