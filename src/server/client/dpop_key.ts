/** The key of a client that uses DPoP: its proofs, and the nonces of servers (RFC 9449). */

import { sha256 } from "../../ground/crypto/platform.ts";
import type { Jwk } from "../../ground/crypto/jwk.ts";
import { type SigningKey, signWithHeader } from "../../ground/crypto/jwt.ts";
import type { JwtParts } from "../../ground/crypto/jwt_parts.ts";
import type { JsonObject } from "../../ground/schema/json_object.ts";
import { present } from "../../ground/values/present.ts";

export interface DpopKey {
  readonly key: SigningKey;
  /** The latest nonce of each origin, which the client sends there next (RFC 9449 §8.2). */
  readonly nonces: Map<string, string>;
}

export interface ProofOptions {
  readonly method: string;
  readonly url: string;
  /** A value that the client uses once. */
  readonly jti: string;
  /** The time of the client, in seconds. */
  readonly now: number;
  readonly accessToken?: string | undefined;
  /** Default: the latest nonce of the origin. */
  readonly nonce?: string | undefined;
  /** Claims that replace those of the proof. `undefined` removes a claim. */
  readonly claims?: JsonObject | undefined;
}

/** Signs a proof for one request (RFC 9449 §4.2). */
export async function signProof({ key, nonces }: DpopKey, options: ProofOptions): Promise<string> {
  const nonce = options.nonce ?? nonces.get(new URL(options.url).origin);
  const { kid: _kid, alg, use: _use, ...jwk } = key.publicJwk;
  const { header, claims } = describeProof({ alg, jwk }, { ...options, nonce });
  return await signWithHeader(key, header, claims);
}

/** Returns the header and the claims of a proof. `jwk` has the public members of the key only. */
export function describeProof(
  key: { readonly alg: string; readonly jwk: Jwk },
  { method, url, jti, now, accessToken, nonce, claims }: ProofOptions,
): Pick<JwtParts, "header" | "claims"> {
  return {
    header: { typ: "dpop+jwt", ...key },
    claims: {
      jti,
      htm: method,
      htu: url.replace(/[?#].*$/s, ""),
      iat: Math.floor(now),
      ...present({ ath: accessToken === undefined ? undefined : sha256(accessToken), nonce }),
      ...claims,
    },
  };
}

/** What a client reads of a response: the header `DPoP-Nonce`, the status and the body. */
export interface ClientReply {
  readonly status: number;
  readonly nonce: string | undefined;
  readonly body: string;
}

/** Keeps the nonce of a response. Returns whether the server demands it, so that the client sends its request again. */
export function keepNonce({ nonces }: DpopKey, url: string, { status, nonce, body }: ClientReply): boolean {
  if (nonce === undefined) return false;
  nonces.set(new URL(url).origin, nonce);
  return status === 400 && body.includes('"use_dpop_nonce"');
}
