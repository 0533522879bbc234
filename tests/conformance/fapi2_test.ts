/**
 * The plans fapi2-security-profile-final-test-plan and fapi2-message-signing-final-test-plan of the OpenID conformance
 * suite: the modules about what the choices of a plan change together. README.md names the tests of the others.
 */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { JWTPayload } from "jose";
import { test } from "../runner.ts";
import { encodePart, readTokens, refusalOf, type Tokens } from "../tokens/bearer.ts";
import { createBrowser, encodeForm } from "../world.ts";
import {
  algorithms,
  type Answer,
  describeVariant,
  inSuite,
  nonce,
  rsaProofKey,
  securityVariants,
  type Signing,
  signingVariants,
  state,
  type Suite,
  type SuiteClient,
  verifyJwt,
} from "./fapi2_driver.ts";

interface Module {
  /** The name in the plan, without `fapi2-security-profile-final-`. */
  readonly name: string;
  /** The sections that the module checks. `SP` is the FAPI 2.0 Security Profile, `MS` is Message Signing. */
  readonly spec: string;
  readonly walk: (suite: Suite) => Promise<void>;
}

const modules: readonly Module[] = [
  { name: "discovery-end-point-verification", spec: "SP §5.3.2.1-1, §5.4.1", walk: walkDiscovery },
  { name: "happy-flow", spec: "SP §5.3.2.1, §5.3.2.2, §5.3.4", walk: walkHappyFlow },
  { name: "user-rejects-authentication", spec: "RFC 6749 §4.1.2.1", walk: walkDenial },
  { name: "ensure-redirect-uri-in-authorization-request", spec: "SP §5.3.2.2-6", walk: walkNoRedirectUri },
  {
    name: "ensure-unsigned-authorization-request-without-using-par-fails",
    spec: "SP §5.3.2.2-3",
    walk: walkNotPushed,
  },
  { name: "ensure-holder-of-key-required", spec: "SP §5.3.2.1-4, §5.3.2.1-5", walk: walkNoProof },
  { name: "refresh-token", spec: "SP §5.3.2.1-9, RFC 6749 §6", walk: walkRefresh },
];

for (const variant of [...securityVariants, ...signingVariants]) {
  for (const { name, spec, walk } of modules) {
    test(`conformance, FAPI 2 (${describeVariant(variant)}): ${name} (${spec})`, () =>
      inSuite(variant, walk));
  }
}

interface WrongObject {
  readonly name: string;
  readonly spec: string;
  readonly object: (now: number, suite: Suite) => Signing | Promise<Signing>;
  /** `undefined`: the server accepts the object. */
  readonly reason?: string;
}

/** The modules about signed request objects. */
const objects: readonly WrongObject[] = [
  {
    name: "ensure-request-object-with-multiple-aud-succeeds",
    spec: "MS §5.3.1",
    object: (_now, { world }) => ({ claims: { aud: [world.issuer, "https://other.example"] } }),
  },
  {
    name: "ensure-request-object-without-exp-fails",
    spec: "MS §5.3.1",
    object: () => ({ claims: { exp: undefined } }),
    reason: "request_object_unbounded",
  },
  {
    name: "ensure-expired-request-object-fails",
    spec: "RFC 9101 §10.2",
    object: (now) => ({ claims: { nbf: now - 900, iat: now - 900, exp: now - 300 } }),
    reason: "request_object_expired",
  },
  {
    name: "ensure-signed-request-object-with-RS256-fails",
    spec: "SP §5.4.1",
    object: async () => {
      const { privateKey } = await rsaProofKey("RS256");
      return { header: { alg: "RS256", kid: "RSA" }, key: privateKey };
    },
    reason: "request_object_signature",
  },
  {
    name: "ensure-request-object-signature-algorithm-is-not-none",
    spec: "SP §5.4.1",
    object: () => ({ text: (signed) => `${encodePart({ alg: "none" })}.${signed.split(".")[1]}.` }),
    reason: "request_object_unsigned",
  },
  {
    name: "ensure-matching-key-in-authorization-request",
    spec: "RFC 9101 §6.2",
    object: (_now, { second }) => ({ header: { alg: "EdDSA", kid: "EdDSA" }, key: second.key.privateKey }),
    reason: "request_object_signature",
  },
];

for (const { name, spec, object, reason } of objects) {
  const [variant] = signingVariants;
  test(`conformance, FAPI 2 (${describeVariant(variant!)}): ${name} (${spec})`, () =>
    inSuite(variant!, async (suite) => {
      const call = { object: await object(suite.world.clock.now, suite) };
      if (reason === undefined) await suite.tokens(call);
      else {
        const expected = [400, "invalid_request_object", reason];
        assertEquals(await refusalOf(suite.world, suite.push(call)), expected);
      }
    }));
}

for (const variant of signingVariants.filter(({ signsRequests }) => signsRequests)) {
  test(`conformance, FAPI 2 (${describeVariant(variant)}): ensure-unsigned-request-at-par-endpoint-fails (MS §5.3.1)`, () =>
    inSuite(variant, async (suite) => {
      const expected = [400, "invalid_request", "request_source_required"];
      assertEquals(await refusalOf(suite.world, suite.push({ object: "absent" })), expected);
    }));
}

/** Requires the parameters of a valid response, and returns the code. */
function readCode(suite: Suite, { status, params }: Answer): string {
  assertEquals(status, 303);
  const names = [...params.keys()].filter((name) => !/^dummy\d$/.test(name)).sort();
  assertEquals(names, ["code", "iss", "state"]);
  assertEquals([params.get("state"), params.get("iss")], [state, suite.world.issuer]);
  return params.get("code")!;
}

/** Verifies an ID token for the client, if the variant is OpenID. */
async function readIdToken(suite: Suite, tokens: Tokens, client: SuiteClient): Promise<JWTPayload> {
  if (suite.variant.openid) return await verifyJwt(suite.world, tokens.id_token, client.id);
  assertEquals(tokens.id_token, undefined);
  return {};
}

async function requireApiOpens(suite: Suite, tokens: Tokens, client?: SuiteClient): Promise<void> {
  const response = await suite.callApi(tokens, client);
  assertEquals(response.status, 200, await response.text());
}

/** The first client holds another key than the token of the second client is bound to. */
async function requireOtherKeyFails(suite: Suite, tokens: Tokens): Promise<void> {
  const expected = [401, "invalid_token", "token_key_differs"];
  assertEquals(await refusalOf(suite.world, suite.callApi(tokens)), expected);
}

async function walkDiscovery({ world, variant }: Suite): Promise<void> {
  const path = variant.openid ? "openid-configuration" : "oauth-authorization-server";
  const metadata = await (await world.get(`/.well-known/${path}`)).json();
  assertEquals(metadata.issuer, world.issuer);
  for (const name of ["authorization", "token", "pushed_authorization_request"]) {
    assertEquals(new URL(metadata[`${name}_endpoint`]).origin, world.issuer, name);
  }
  if (variant.signsResponses) assert(metadata.response_modes_supported.includes("jwt"));
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
  assert(lifetime >= 5 && lifetime < 600, `${lifetime}`);
  const tokens = await readTokens(await suite.redeem(readCode(suite, await suite.decide(requestUri))));
  assertEquals(tokens.token_type, suite.variant.constraint === "DPoP" ? "DPoP" : "Bearer");
  const idToken = await readIdToken(suite, tokens, first);
  if (suite.variant.openid) assertEquals(idToken["nonce"], nonce);
  await requireApiOpens(suite, tokens);
  // SP §5.3.4-2: no access tokens in the query.
  assertEquals((await world.get(`${suite.api}?access_token=${tokens.access_token}`)).status, 401);

  const answer = await suite.authorize({ client: second });
  assert(answer.url.href.startsWith(`${second.redirectUri}&`));
  const others = await readTokens(await suite.redeem(readCode(suite, answer), { client: second }));
  await readIdToken(suite, others, second);
  await requireApiOpens(suite, others, second);
  await requireOtherKeyFails(suite, others);
}

async function walkDenial(suite: Suite): Promise<void> {
  for (const client of [suite.first, suite.second]) {
    const { url, params } = await suite.authorize({ client }, "deny");
    assert(url.href.startsWith(client.redirectUri));
    const { error, state: returned, iss, code } = Object.fromEntries(params);
    assertEquals([error, returned, iss, code], ["access_denied", state, suite.world.issuer, undefined]);
  }
}

async function walkNoRedirectUri(suite: Suite): Promise<void> {
  const reason = suite.variant.openid ? "redirect_uri_required_by_openid" : "redirect_uri_missing";
  assertEquals(await refusalOf(suite.world, suite.push({ params: { redirect_uri: undefined } })), [
    400,
    "invalid_request",
    reason,
  ]);
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

/** The refusal of a token request without proof. If the certificate is the proof, it may authenticate the client, too. */
function unproven({ variant: { clientAuth, constraint } }: Suite): readonly unknown[] {
  return clientAuth === "mTLS" && constraint === "mTLS"
    ? [400, "invalid_client", "certificate_missing"]
    : [400, "invalid_request", "proof_missing"];
}

async function walkNoProof(suite: Suite): Promise<void> {
  const code = readCode(suite, await suite.authorize());
  const answer = suite.redeem(code, { proof: "absent" });
  assertEquals(await refusalOf(suite.world, answer), unproven(suite));
}

async function walkRefresh(suite: Suite): Promise<void> {
  const { first, second, world, variant } = suite;
  const tokens = await suite.tokens();
  const { refresh_token: refreshToken } = tokens;
  const before = await readIdToken(suite, tokens, first);
  for (const wait of [1, 30]) {
    world.clock.advance(wait);
    const refreshed = await readTokens(await suite.refresh(refreshToken));
    // SP §5.3.2.1-9: the server does not rotate refresh tokens.
    assertEquals(refreshed.refresh_token, refreshToken);
    assertNotEquals(refreshed.access_token, tokens.access_token);
    if (variant.openid) {
      const after = await readIdToken(suite, refreshed, first);
      // OpenID Connect Core §12.2.
      assertEquals([after.sub, after["auth_time"]], [before.sub, before["auth_time"]]);
      assert(after.iat! > before.iat!);
    }
    await requireApiOpens(suite, refreshed);
  }
  const withoutProof = suite.refresh(refreshToken, { proof: "absent" });
  assertEquals(await refusalOf(world, withoutProof), unproven(suite));
  const others = await suite.tokens({ client: second });
  await readTokens(await suite.refresh(others.refresh_token, { client: second }));
  await requireOtherKeyFails(suite, others);
  assertEquals(await refusalOf(world, suite.refresh(others.refresh_token)), [
    400,
    "invalid_grant",
    "refresh_of_another_client",
  ]);
}
