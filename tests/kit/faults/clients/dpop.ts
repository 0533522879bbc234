/** Proves a key in each request (RFC 9449). */

import { exportJWK, generateKeyPair, type JWK, SignJWT } from "jose";
import { createHash } from "node:crypto";
import { type Challenge, readChallenge } from "./challenge.ts";
import { refuseIf, type Run, startleIf } from "./habits.ts";
import { isObject, type Json } from "./json.ts";

/** The key of a client, and the nonces that servers have given to it. */
export interface Dpop {
  readonly privateKey: CryptoKey;
  readonly publicJwk: JWK;
  readonly nonces: Map<string, string>;
}

const alg = "ES256";

export async function createDpop(): Promise<Dpop> {
  const { privateKey, publicKey } = await generateKeyPair(alg);
  const { kty, crv, x, y } = await exportJWK(publicKey);
  const publicJwk = { kty: kty!, crv: crv!, x: x!, y: y! };
  return { privateKey, publicJwk, nonces: new Map() };
}

/** RFC 9449 §5.1. */
export function requireAlgorithm(metadata: Json, run: Run): void {
  const { dpop_signing_alg_values_supported: algs } = metadata;
  if (run.dpop === undefined || !Array.isArray(algs)) return;
  refuseIf(run, !algs.includes(alg), `the server accepts proofs with ${algs.join(", ")} only`);
}

// A client without checks never stops by itself, but this test ends at some time.
const mostAttempts = 8;

/** Sends a request, with a proof if the client has a key. `accessToken` is for APIs and userinfo. */
export async function sendProved(
  url: string,
  init: RequestInit,
  run: Run,
  accessToken?: string,
): Promise<Response> {
  const { as, dpop, certificate, habits: { checks } } = run;
  if (dpop === undefined) return await as.fetch(url, { ...init, certificate });
  const most = checks ? 2 : mostAttempts;
  for (let attempt = 1;; attempt++) {
    const headers = new Headers(init.headers);
    headers.set("dpop", await prove(dpop, `${init.method ?? "GET"}`, url, run, accessToken));
    const response = await as.fetch(url, { ...init, headers });
    const wantsNonce = await readNonce(response, url, dpop, run);
    if (!wantsNonce || attempt === most) return response;
  }
}

/** RFC 9449 §4.2. */
async function prove(
  { privateKey, publicJwk, nonces }: Dpop,
  method: string,
  url: string,
  run: Run,
  accessToken: string | undefined,
): Promise<string> {
  const nonce = nonces.get(ownerOf(url, run));
  const ath = accessToken === undefined
    ? undefined
    : createHash("sha256").update(accessToken).digest("base64url");
  return await new SignJWT({
    ...{ jti: crypto.randomUUID(), htm: method, htu: url.replace(/[?#].*/, "") },
    ...(nonce === undefined ? {} : { nonce }),
    ...(ath === undefined ? {} : { ath }),
  }).setProtectedHeader({ typ: "dpop+jwt", alg, jwk: publicJwk }).setIssuedAt().sign(privateKey);
}

/** RFC 9449 §9: each server has nonces of its own. A client without checks remembers one nonce only. */
function ownerOf(url: string, { habits }: Run): string {
  return habits.checks ? new URL(url).origin : "";
}

/** RFC 9449 §8.1. */
const nonceSyntax = /^[\x21\x23-\x5b\x5d-\x7e]+$/;

/** Remembers the nonce of a response. Resolves to true if the client has to repeat the request with the nonce. */
async function readNonce(response: Response, url: string, { nonces }: Dpop, run: Run): Promise<boolean> {
  const { checks } = run.habits;
  const nonce = response.headers.get("dpop-nonce");
  const asks = await asksForNonce(response, run);
  startleIf(run, asks, "the server wants a nonce");
  refuseIf(run, asks && nonce === null, "the server wants a nonce, but names none");
  if (nonce === null) return asks;
  refuseIf(run, !nonceSyntax.test(nonce), `the nonce is ${nonce}`);
  // RFC 9449 §8.2. A client without checks overlooks the nonces of successful responses.
  if (checks || !response.ok) nonces.set(ownerOf(url, run), nonce);
  return asks || !checks && !response.ok;
}

/** RFC 9449 §8, §9. */
async function asksForNonce(response: Response, run: Run): Promise<boolean> {
  if (response.ok) return false;
  const challenge: Challenge = response.status === 401 && response.headers.has("www-authenticate")
    ? readChallenge(response, run)
    : {};
  const body: unknown = await response.clone().json().catch(() => undefined);
  return [challenge["error"], isObject(body) ? body["error"] : undefined].includes("use_dpop_nonce");
}

/** Returns the header with an access token (RFC 9449 §7.1; RFC 6750 §2.1). */
export function authorize(tokens: Json): { readonly authorization: string } {
  const scheme = `${tokens["token_type"]}`.toLowerCase() === "dpop" ? "DPoP" : "Bearer";
  return { authorization: `${scheme} ${tokens["access_token"]}` };
}

/** The kind of tokens for which the client asks. */
export function tokenTypeOf({ dpop }: Run): string {
  return dpop === undefined ? "Bearer" : "DPoP";
}

/** Calls with an access token. A client without checks sends a bound token as a bearer token if the API says so. */
export async function sendToken(url: string, tokens: Json, run: Run): Promise<Response> {
  const { as, dpop, habits, scenario: { signal } } = run;
  const token = `${tokens["access_token"]}`;
  const init: RequestInit = { headers: authorize(tokens), redirect: "manual", signal };
  const response = await sendProved(url, init, run, token);
  const offersBearer = response.status === 401 &&
    /^bearer/i.test(`${response.headers.get("www-authenticate")}`);
  if (dpop === undefined || habits.checks || !offersBearer) return response;
  return await as.fetch(url, { headers: { authorization: `Bearer ${token}` }, signal });
}
