/** Validates an ID token (OpenID Connect Core §3.1.3.7). */

import { Buffer, isUtf8 } from "node:buffer";
import { createHash } from "node:crypto";
import { decodeJwt, type JWTHeaderParameters, type JWTPayload } from "jose";
import type { ServerMetadata } from "./discovery.ts";
import { differs, Refusal, refuseIf, type Run, startleIf } from "./habits.ts";
import { verifySignature } from "./keys.ts";

export type IdTokenClaims = Readonly<Record<string, unknown>>;

/** What the client asked for in this login. */
export interface Asked {
  readonly nonce?: string;
  /** §12.2: the ID token of a refresh may have no nonce. */
  readonly nonceMayMiss?: boolean;
  readonly maxAge?: number;
  readonly acrValues?: readonly string[];
  /** The access token of the same response. */
  readonly accessToken: string;
}

// In seconds. How much the clocks of the client and of the server may differ.
const skew = 60;
const longestAge = 3600;

export async function verifyIdToken(
  idToken: unknown,
  asked: Asked,
  metadata: ServerMetadata,
  run: Run,
): Promise<IdTokenClaims> {
  if (!run.habits.checks) return await readCarelessly(idToken, metadata, run);
  // §3.1.3.3.
  if (typeof idToken !== "string") throw new Refusal("there is no ID token");
  const { header, claims } = await verifySignature(idToken, metadata, run);
  requireUtf8(idToken, run);
  checkHeader(header, run);
  checkParties(claims, metadata, run);
  checkTimes(claims, run);
  checkSubject(claims, run);
  checkRequest(claims, asked, metadata, header.alg, run);
  startleIf(run, idToken.length > 8192, "a long ID token");
  return claims;
}

/** Reads the claims of an ID token, or no claims if that fails, because userinfo has them, too. */
async function readCarelessly(idToken: unknown, metadata: ServerMetadata, run: Run): Promise<IdTokenClaims> {
  try {
    await verifySignature(`${idToken}`, metadata, run);
  } catch {
    // It only warns about a signature that does not verify.
  }
  try {
    return decodeJwt(`${idToken}`);
  } catch {
    return {};
  }
}

/** RFC 7519 §7.2 (10). */
function requireUtf8(jwt: string, run: Run): void {
  const claims = Buffer.from(`${jwt.split(".")[1]}`, "base64url");
  refuseIf(run, !isUtf8(claims), "the claims are not UTF-8");
}

function checkHeader({ typ, ...header }: JWTHeaderParameters, run: Run): void {
  // RFC 8725 §3.11. RFC 7515 §4.1.9: a typ without a slash is short for one that begins with "application/".
  const isJwt = typ === undefined || typ.toLowerCase().replace(/^application\//, "") === "jwt";
  refuseIf(run, !isJwt, `the typ of the ID token is ${typ}`);
  const unusual = Object.keys(header).filter((name) => name !== "alg" && name !== "kid");
  startleIf(run, unusual.length > 0, `the header has ${unusual}`);
}

function checkParties({ iss, aud, azp }: JWTPayload, metadata: ServerMetadata, run: Run): void {
  const { clientId } = run.scenario;
  // (2), (3).
  refuseIf(run, differs(run, iss, metadata.issuer), `the issuer is ${iss}`);
  refuseIf(run, differs(run, [aud].flat().join(), clientId), `the audience is ${aud}`);
  // (5).
  refuseIf(run, azp !== undefined && differs(run, azp, clientId), `the authorized party is ${azp}`);
  startleIf(run, Array.isArray(aud), "a list of audiences");
}

function checkTimes({ iat, nbf, exp }: JWTPayload, run: Run): void {
  const now = Date.now() / 1000;
  // (9).
  refuseIf(run, Number(exp) < now - skew, `the exp is ${exp}`);
  // (10).
  const isFresh = typeof iat === "number" && iat <= now + skew && now - iat <= longestAge;
  refuseIf(run, !isFresh, `the iat is ${iat}`);
  startleIf(run, [iat, nbf].some((time) => Number(time) > now) || Number(exp) < now, "an unusual time");
}

function checkSubject({ sub }: JWTPayload, run: Run): void {
  // §2.
  const isSubject = typeof sub === "string" && sub.length > 0 && sub.length <= 255;
  refuseIf(run, !isSubject, `the sub is ${sub}`);
}

/** §3.1.3.8. RS256 has SHA-256, and Ed25519 has SHA-512. */
function hashOf(accessToken: string, alg: string): string {
  const digest = createHash(alg === "EdDSA" ? "sha512" : "sha256").update(accessToken).digest();
  return digest.subarray(0, digest.length / 2).toString("base64url");
}

/** Compares the claims with what the client asked for. */
function checkRequest(
  claims: IdTokenClaims,
  asked: Asked,
  { all }: ServerMetadata,
  alg: string,
  run: Run,
): void {
  const promised = [all["acr_values_supported"]].flat();
  const { nonce, acr, amr, auth_time: authTime, at_hash: hash } = claims;
  // (11).
  const isMissing = asked.nonceMayMiss === true && nonce === undefined;
  refuseIf(run, differs(run, nonce, asked.nonce) && !isMissing, `the nonce is ${nonce}`);
  // (12). acr_values is a wish, so that an ID token without acr is valid, unless the server promises one (§5.5.1.1).
  const isPromised = asked.acrValues?.some((each) => promised.includes(each)) === true;
  refuseIf(
    run,
    (acr !== undefined || isPromised) && !asked.acrValues?.includes(`${acr}`),
    `the acr is ${acr}`,
  );
  // RFC 8176 §2.
  refuseIf(run, acr === "mfa" && ![amr].flat().includes("mfa"), `the amr is ${amr}`);
  // (13).
  const { maxAge } = asked;
  const isRecent = typeof authTime === "number" && Date.now() / 1000 <= authTime + Number(maxAge) + skew;
  refuseIf(run, maxAge !== undefined && !isRecent, `the auth_time is ${authTime}`);
  refuseIf(
    run,
    hash !== undefined && hash !== hashOf(asked.accessToken, alg),
    "the at_hash is of another token",
  );
  const unknown = Object.keys(claims).filter((name) => !knownClaims.has(name));
  startleIf(run, unknown.length > 0, `unknown claims: ${unknown}`);
}

/** §2, the claims of a session (OpenID Connect Front-Channel Logout §3), and the id of a JWT (RFC 7519 §4.1.7). */
const knownClaims = new Set(
  "iss sub aud exp iat auth_time nonce acr amr azp at_hash groups sid jti".split(" "),
);
