/** Validates an ID token (OpenID Connect Core §3.1.3.7). */

import { createLocalJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from "jose";
import type { ServerMetadata } from "./discovery.ts";
import { Refusal, refuseIf, type Run } from "./habits.ts";
import { loadKeys } from "./keys.ts";

export type IdTokenClaims = Readonly<Record<string, unknown>>;

export async function verifyIdToken(
  idToken: string,
  { nonce }: { readonly nonce?: string; readonly accessToken: string },
  metadata: ServerMetadata,
  run: Run,
): Promise<IdTokenClaims> {
  const claims = decodeJwt(idToken);
  if (!run.habits.checks) return claims;
  const { alg } = decodeProtectedHeader(idToken);
  // §3.1.3.7 (7).
  refuseIf(run, alg !== "RS256", `the ID token has the alg ${alg}`);
  const keys = createLocalJWKSet(await loadKeys(metadata, run));
  const { payload } = await jwtVerify(idToken, keys, {
    issuer: metadata.issuer,
    audience: run.scenario.clientId,
  }).catch((error) => {
    throw new Refusal(`the ID token is not valid: ${error.message}`);
  });
  refuseIf(run, nonce !== undefined && payload["nonce"] !== nonce, "the nonce is not of this login");
  return payload;
}
