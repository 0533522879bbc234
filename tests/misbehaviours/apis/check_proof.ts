/** Checks the DPoP proof of a request to an API (RFC 9449 §4.3, §7). */

import { createHash } from "node:crypto";
import {
  calculateJwkThumbprint,
  EmbeddedJWK,
  type JWTHeaderParameters,
  type JWTPayload,
  jwtVerify,
} from "jose";
import { type Habits, Refusal, refuseIf, startleIf } from "../clients/habits.ts";
import { isObject } from "../clients/json.ts";

export interface ProofCheck {
  readonly habits: Habits;
  /** The values of jti that this API has seen. */
  readonly seenIds: Set<string>;
}

// In seconds.
const longestAge = 300;

export async function checkProof(
  request: Request,
  token: string,
  { cnf }: JWTPayload,
  check: ProofCheck,
): Promise<void> {
  if (!check.habits.checks || !isObject(cnf)) return;
  const proof = request.headers.get("dpop");
  // RFC 9449 §7.2.
  if (proof === null) throw new Refusal("there is no proof");
  // (2) to (6). A comma between two proofs (1) is no part of a JWT.
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, {
    typ: "dpop+jwt",
    algorithms: ["ES256"],
  }).catch((error) => {
    throw new Refusal(`the proof is not valid: ${error.message}`);
  });
  await checkKey(protectedHeader, cnf["jkt"], check);
  checkClaims(payload, request, token, check);
}

async function checkKey({ jwk }: JWTHeaderParameters, thumbprint: unknown, check: ProofCheck): Promise<void> {
  // (7).
  refuseIf(check, Object.hasOwn(jwk!, "d"), "a private key");
  // (12).
  refuseIf(check, await calculateJwkThumbprint(jwk!) !== thumbprint, "another key");
}

function checkClaims(claims: JWTPayload, request: Request, token: string, check: ProofCheck): void {
  const { jti, htm, htu, iat, ath } = claims;
  // (8).
  refuseIf(check, htm !== request.method, `the htm is ${htm}`);
  // (9). `URL` normalizes the scheme and the host.
  refuseIf(check, !URL.canParse(`${htu}`) || new URL(`${htu}`).href !== request.url, `the htu is ${htu}`);
  startleIf(check, htu !== request.url, "another spelling of the URL");
  // (11).
  refuseIf(check, !(Math.abs(Date.now() / 1000 - Number(iat)) < longestAge), `the iat is ${iat}`);
  // (12).
  refuseIf(check, ath !== createHash("sha256").update(token).digest("base64url"), `the ath is ${ath}`);
  // (3), §11.1.
  refuseIf(check, jti === undefined || check.seenIds.has(jti), `the jti is ${jti}`);
  check.seenIds.add(`${jti}`);
  startleIf(check, Object.keys(claims).length > 5, "more claims");
}
