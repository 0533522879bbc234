/**
 * The plans fapi2-security-profile-final-test-plan and fapi2-message-signing-final-test-plan of the OpenID conformance
 * suite: the modules about what the choices of a plan change together. README.md names the tests of the others.
 */

import { assert, assertEquals, assertNotEquals } from "@std/assert";
import type { JWTPayload } from "jose";
import { test } from "../runner.ts";
import { readTokens, refusalOf, type Tokens } from "../tokens/bearer.ts";
import {
  type Answer,
  describeVariant,
  inSuite,
  nonce,
  securityVariants,
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
  { name: "happy-flow", spec: "SP §5.3.2.1, §5.3.2.2, §5.3.4", walk: walkHappyFlow },
  { name: "refresh-token", spec: "SP §5.3.2.1-9, RFC 6749 §6", walk: walkRefresh },
];

for (const variant of [...securityVariants, ...signingVariants]) {
  for (const { name, spec, walk } of modules) {
    test(`conformance, FAPI 2 (${describeVariant(variant)}): ${name} (${spec})`, () =>
      inSuite(variant, walk));
  }
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

async function walkHappyFlow(suite: Suite): Promise<void> {
  const { first, second, world } = suite;
  const pushed = await suite.push();
  const { request_uri: requestUri, expires_in: lifetime } = await pushed.json();
  assertEquals(pushed.status, 201);
  assert(lifetime >= 5 && lifetime < 600, `${lifetime}`);
  const tokens = await readTokens(await suite.redeem(readCode(suite, await suite.approve(requestUri))));
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

/** The refusal of a token request without proof. If the certificate is the proof, it may authenticate the client, too. */
function unproven({ variant: { clientAuth, constraint } }: Suite): readonly unknown[] {
  return clientAuth === "mTLS" && constraint === "mTLS"
    ? [400, "invalid_client", "certificate_missing"]
    : [400, "invalid_request", "proof_missing"];
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
