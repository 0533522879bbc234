/** Loads the keys of the server, and verifies signatures with them (RFC 7517; RFC 7515). */

import {
  compactVerify,
  createLocalJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  type JSONWebKeySet,
  type JWTHeaderParameters,
  type JWTPayload,
} from "jose";
import type { ServerMetadata } from "./discovery.ts";
import { Refusal, refuseIf, type Run, startleIf } from "./habits.ts";

/** The alg that a client has without a registered one (OpenID Connect Registration §2). */
const registeredAlg = "RS256";

export interface VerifiedJwt {
  readonly header: JWTHeaderParameters;
  readonly claims: JWTPayload;
}

/** Verifies the signature of a JWT. Loads the keys once more if none of them fits (OpenID Connect Core §10.1.1). */
export async function verifySignature(
  jwt: string,
  metadata: ServerMetadata,
  run: Run,
): Promise<VerifiedJwt> {
  try {
    const { alg, kid } = decodeProtectedHeader(jwt);
    // OpenID Connect Core §3.1.3.7 (7).
    refuseIf(run, alg !== registeredAlg, `the alg is ${alg}`);
    startleIf(run, kid === undefined, "no kid");
    const verify = async () => await compactVerify(jwt, createLocalJWKSet(await loadKeys(metadata, run)));
    const { protectedHeader } = await verify().catch((error) => {
      if (!(error instanceof errors.JWKSNoMatchingKey) || run.habits.startles) throw error;
      return verify();
    });
    return { header: protectedHeader, claims: decodeJwt(jwt) };
  } catch (error) {
    throw error instanceof Refusal ? error : new Refusal(`the JWT does not verify: ${error}`);
  }
}

export async function loadKeys(
  { jwksUri }: ServerMetadata,
  { as, scenario: { signal } }: Run,
): Promise<JSONWebKeySet> {
  const response = await as.fetch(jwksUri, { signal });
  return await response.json();
}
