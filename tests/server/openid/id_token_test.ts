/** ID tokens (OpenID Connect Core §2, §3.1.3, §12.2). */

import { assertEquals, assertFalse, assertMatch } from "@std/assert";
import { decodeJwt } from "jose";
import { createHash } from "node:crypto";
import { keysFor } from "../../keys.ts";
import { test } from "../../runner.ts";
import { testWith } from "./test_in_openid.ts";
import {
  agree,
  ask,
  claimsOf,
  clientOf,
  inOpenId,
  issuer,
  refresh,
  signIn,
  type Tokens,
  tokensOf,
  verify,
} from "./openid_world.ts";

const it = testWith();

function leftHalf(text: string, hash: "sha256" | "sha512"): string {
  const digest = createHash(hash).update(text).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

test("id_token: this test computes at_hash as Core's example does (OpenID Connect Core §2)", () => {
  const accessToken = "jHkWEdUXMU1BwAsC4vtUsZwnNvTIxEl0z9K3vx5KF0Y";
  assertEquals(leftHalf(accessToken, "sha256"), "77QmUPtjPfzWtF2AnpK9RQ");
});

const hashes = { RS256: "sha256", PS256: "sha256", ES256: "sha256", EdDSA: "sha512" } as const;

const algorithms = ["RS256", "PS256", "ES256", "EdDSA"] as const;
const signingKeys = keysFor(algorithms);

for (const alg of algorithms) {
  for (const accessTokens of ["jwt", "opaque"] as const) {
    test(`id_token: with ${alg} and ${accessTokens} access tokens it verifies, and at_hash is right (OpenID Connect Core §2)`, async () => {
      const clients = [clientOf("app", { id_token_signed_response_alg: alg })];
      await inOpenId({ clients, accessTokens, signingKeys }, async (world, browser) => {
        const tokens = await signIn(world, browser, "alice");
        const { payload, protectedHeader } = await verify(world, tokens.id_token);
        assertEquals(protectedHeader.alg, alg);
        assertMatch(protectedHeader.kid ?? "", /^[\w-]{43}$/);
        assertEquals(payload["at_hash"], leftHalf(tokens.access_token, hashes[alg]));
        const again: Tokens = await (await refresh(world, tokens.refresh_token)).json();
        const later = await claimsOf(world, again);
        assertEquals(later["at_hash"], leftHalf(again.access_token, hashes[alg]));
      });
    });
  }
}

it("id_token: has exactly the required claims, and no profile claims for a scope (OpenID Connect Core §2)", async ({ world, browser }) => {
  const signedInAt = world.clock.now;
  const page = await agree(browser, await ask(world, browser, { scope: "openid profile email" }), "alice");
  world.clock.advance(7);
  const tokens = await tokensOf(world, page);
  const { sid, at_hash, jti, ...claims } = await claimsOf(world, tokens);
  assertEquals(claims, {
    iss: issuer,
    sub: "subject-of-a",
    aud: "app",
    iat: signedInAt + 7,
    exp: signedInAt + 7 + 3600,
    auth_time: signedInAt,
    nonce: "n-0S6_WzA2Mj",
  });
  assertMatch(String(sid), /^[\w-]{16,}$/);
  assertMatch(String(at_hash), /^[\w-]{22}$/);
  assertMatch(String(jti), /^[\w-]{22}\.[\w-]{22}$/);
});

it("id_token: amr is pwd after a sign-in with a password (OpenID Connect Core §2)", async ({ world, browser }) => {
  const page = await browser.submit(await ask(world, browser), {
    username: "carol",
    password: "correct horse",
  });
  const claims = await claimsOf(world, await tokensOf(world, await agree(browser, page, "carol")));
  assertEquals([claims.sub, claims["amr"]], ["subject-of-c", ["pwd"]]);
});

it("id_token: absent without openid in the scope (OpenID Connect Core §3.1.2.1)", async ({ world, browser }) => {
  assertFalse("id_token" in await signIn(world, browser, "alice", { scope: "read" }));
});

it("id_token: without a nonce there is no nonce claim (OpenID Connect Core §2)", async ({ world, browser }) => {
  const tokens = await signIn(world, browser, "alice", { nonce: undefined });
  assertFalse("nonce" in await claimsOf(world, tokens));
});

test("id_token: it has a lifetime of its own", () =>
  inOpenId({ lifetimes: { idToken: 77, accessToken: 66 } }, async (world, browser) => {
    const tokens = await signIn(world, browser, "alice");
    const [own, other] = [await claimsOf(world, tokens), decodeJwt(tokens.access_token)]
      .map(({ exp, iat }) => exp! - iat!);
    assertEquals([own, other], [77, 66]);
  }));
