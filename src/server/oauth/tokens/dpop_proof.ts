/** Reads and checks a DPoP proof: a JWT that is signed with the key in its header (RFC 9449 §4.3). */

import { sha256 } from "../../../ground/crypto/platform.ts";
import { isVerifyingKey, type Jwk, publicJwk, thumbprint, verifiesWith } from "../../../ground/crypto/jwk.ts";
import {
  isNumericDate,
  type JwtHeader,
  readUnverifiedHeader,
  type VerifyingKey,
  verifyJwt,
} from "../../../ground/crypto/jwt.ts";
import { isJsonObject } from "../../../ground/schema/json_object.ts";
import { describeType, describeValue } from "../../../ground/schema/received.ts";
import { clockSkew, markMargin } from "../options/clock_skew.ts";
import { type AddedErrorCode, type OAuthError, type RefusalRows, refusals } from "../contracts/refusals.ts";
import type { ProofOptions } from "../contracts/feature.ts";
import type { Claims } from "../../../ground/values/members.ts";
import type { DpopSettings } from "../contracts/dpop_settings.ts";
import { normaliseUrl } from "../../../ground/http/address.ts";

/** RFC 9449 §5. At a protected resource the status is 401 (§7.1). */
export const invalidProof: AddedErrorCode = { code: "invalid_dpop_proof", status: 400 };

// In seconds. A proof is made for one request, so it is used immediately (RFC 9449 §11.1).
const lifetime = 60;

const refusal = refusals({ error: invalidProof, spec: "RFC 9449 §4.3" }, {
  dpop_header_repeated: {
    sentence: "The request has more than one DPoP header",
    expected: "one DPoP header",
    change: "Send one DPoP header.",
  },
  dpop_malformed: {
    sentence: "The DPoP header is not a signed JWT",
    expected: "one JWT with three parts",
    change: "Send one signed JWT in the DPoP header.",
  },
  dpop_key: {
    sentence: "The DPoP proof has no public key that fits its alg",
    expected: "jwk: a public key for {alg}, without any private member",
    change: "Put the public key, and no private member, into the header member jwk.",
  },
  dpop_signature: {
    sentence: "The DPoP proof is not signed with the key in its header",
    expected: "a signature by the key {thumbprint}",
    change: "Sign the proof with the private half of the key in its jwk.",
  },
  dpop_type: {
    sentence: "The JWT in the DPoP header is not a DPoP proof",
    expected: "typ dpop+jwt",
    change: "Set typ of the proof's header to dpop+jwt.",
  },
  dpop_algorithm: {
    sentence: "The DPoP proof is signed with an algorithm that is not accepted",
    expected: "{algorithms}",
    change: "Sign the proof with an algorithm of dpop_signing_alg_values_supported.",
  },
  dpop_id: {
    sentence: "The DPoP proof has no jti",
    expected: "jti: a text that is new in each proof",
    change: "Add a jti to the proof, with a new value each time.",
  },
  dpop_method: {
    sentence: "The DPoP proof is for another method",
    expected: "htm {method}",
    change: "Set htm to the method of this request.",
  },
  dpop_url: {
    sentence: "The DPoP proof is for another URL",
    expected: "htu {url}",
    change: "Set htu to the address of this request, without query and fragment.",
  },
  dpop_time: {
    sentence: "The DPoP proof {fault}",
    expected: `iat within ${lifetime} seconds of {now}, which is now at the server`,
    change: "Set iat to the present time, and compare the clocks of client and server.",
  },
  dpop_access_token: {
    sentence: "The DPoP proof is for another access token",
    expected: "ath: the base64url of the SHA-256 of the access token",
    change: "Set ath to the base64url SHA-256 of the access token that the request sends.",
  },
});

export const refused: RefusalRows = refusal.rows;

/** A proof that fits its request. Its nonce is not checked, and it may have been used before. */
export interface DpopProof {
  readonly thumbprint: string;
  /** Identifies the proof for as long as it is valid. It is a hash, so a long `jti` needs no more room. */
  readonly id: string;
  readonly nonce: unknown;
  /** When no server accepts the proof any more, even if its clock is late. */
  readonly expiresAt: number;
}

export interface ProofUse extends Pick<ProofOptions, "urls" | "accessToken"> {
  readonly method: string;
  readonly now: number;
}

// In characters. A proof with an RSA key of 8192 bits has about 4000.
const longestProof = 8192;

export interface ProofKey extends VerifyingKey {
  readonly thumbprint: string;
}

/** Returns the key for this header, or `undefined` if it is not a public key for its `alg`. */
type FindProofKey = (header: JwtHeader) => ProofKey | undefined;

// A client sends many proofs with one key, and importing a key takes longer than a verification.
const mostCachedKeys = 1000;

export function createProofKeys(): FindProofKey {
  const cache = new Map<string, ProofKey>();
  return ({ alg, jwk }) => {
    const id = `${alg} ${JSON.stringify(jwk)}`;
    const known = cache.get(id);
    if (known !== undefined) return known;
    const key = readKey(jwk, alg);
    if (key === undefined) return undefined;
    if (cache.size >= mostCachedKeys) cache.delete(cache.keys().next().value!);
    cache.set(id, key);
    return key;
  };
}

function readKey(jwk: unknown, alg: string): ProofKey | undefined {
  if (!isJsonObject(jwk) || !isVerifyingKey(jwk as Jwk)) return undefined;
  const verifies: readonly string[] = verifiesWith(jwk as Jwk);
  if (!verifies.includes(alg === "Ed25519" ? "EdDSA" : alg)) return undefined;
  const id = thumbprint(jwk as Jwk);
  return { alg, thumbprint: id, publicJwk: publicJwk(jwk as Jwk, id, alg) };
}

export async function readDpopProof(
  text: string,
  use: ProofUse,
  findKey: FindProofKey,
  { algorithms }: DpopSettings,
): Promise<DpopProof | OAuthError> {
  // Several headers are joined by commas, which a JWT cannot contain.
  if (text.includes(",")) return refusal("dpop_header_repeated");
  const header = text.length > longestProof ? undefined : readUnverifiedHeader(text);
  if (header === undefined) return refusal("dpop_malformed");
  const wrongHeader = checkHeader(header, algorithms);
  if (wrongHeader !== undefined) return wrongHeader;
  const key = findKey(header);
  if (key === undefined) {
    return refusal("dpop_key", { alg: header.alg, received: describeKey(header.jwk) });
  }
  const jwt = await verifyJwt(text, () => key);
  if (jwt === undefined) return refusal("dpop_signature", { thumbprint: key.thumbprint });
  const wrongClaims = checkClaims(jwt.claims, use);
  if (wrongClaims !== undefined) return wrongClaims;
  const { jti, iat, htu, nonce } = jwt.claims;
  return {
    thumbprint: key.thumbprint,
    // RFC 9449 §11.1: the jti is unique for its URL.
    id: sha256(JSON.stringify(["dpop_proof", key.thumbprint, normaliseUrl(htu as string), jti])),
    nonce,
    // the proof is good at the last second of its lifetime, too
    expiresAt: Math.ceil(iat as number) + lifetime + 1 + markMargin,
  };
}

function checkHeader(
  { typ, alg }: JwtHeader,
  algorithms: DpopSettings["algorithms"],
): OAuthError | undefined {
  if (!/^(application\/)?dpop\+jwt$/i.test(typ ?? "")) {
    return refusal("dpop_type", { received: typ === undefined ? "no typ" : describeValue(typ) });
  }
  if (algorithms.some((each) => each === alg)) return undefined;
  return refusal("dpop_algorithm", { algorithms: algorithms.join(", "), received: describeValue(alg) });
}

/** Names the key type and the private members, but shows no value. */
function describeKey(jwk: unknown): string {
  if (!isJsonObject(jwk)) return jwk === undefined ? "no jwk" : describeType(jwk);
  return `jwk with the members ${Object.keys(jwk).join(", ").slice(0, 100) || "none"}`;
}

function checkClaims(claims: Claims, use: ProofUse): OAuthError | undefined {
  return checkId(claims) ?? checkMethod(claims, use) ?? checkUrl(claims, use) ?? checkTimes(claims, use) ??
    checkAccessToken(claims, use);
}

function checkId({ jti }: Claims): OAuthError | undefined {
  if (typeof jti === "string" && jti !== "") return undefined;
  return refusal("dpop_id", { received: describeClaim("jti", jti) });
}

function checkMethod({ htm }: Claims, { method }: ProofUse): OAuthError | undefined {
  if (htm === method) return undefined;
  return refusal("dpop_method", { method, received: describeClaim("htm", htm) });
}

function checkUrl({ htu }: Claims, { urls }: ProofUse): OAuthError | undefined {
  const url = typeof htu === "string" ? normaliseUrl(htu) : undefined;
  if (url !== undefined && urls.some((each) => normaliseUrl(each) === url)) return undefined;
  return refusal("dpop_url", {
    url: urls.join(" or "),
    received: describeClaim("htu", typeof htu === "string" ? htu.replace(/[?#].*$/s, "") : htu),
  });
}

/** Limits the time in which a stolen proof can be used. RFC 7519 §4.1.4, §4.1.5: a proof may also have exp and nbf. */
function checkTimes({ iat, nbf, exp }: Claims, { now }: ProofUse): OAuthError | undefined {
  const isRecent = isNumericDate(iat) && iat >= now - lifetime && iat <= now + clockSkew;
  const hasBegun = nbf === undefined || isNumericDate(nbf) && nbf <= now + clockSkew;
  const hasEnded = exp !== undefined && !(isNumericDate(exp) && exp > now - clockSkew);
  if (isRecent && hasBegun && !hasEnded) return undefined;
  const isOld = hasEnded || isNumericDate(iat) && iat < now;
  return refusal("dpop_time", {
    fault: isNumericDate(iat) ? isOld ? "has expired" : "is not valid yet" : "has no valid iat",
    now: Math.floor(now),
    received: [describeClaim("iat", iat), ...(hasBegun ? [] : [describeClaim("nbf", nbf)])]
      .concat(hasEnded ? [describeClaim("exp", exp)] : []).join(", "),
  });
}

/** RFC 9449 §4.2: at a protected resource, the proof names the access token by its hash. */
function checkAccessToken({ ath }: Claims, { accessToken }: ProofUse): OAuthError | undefined {
  if (accessToken === undefined || ath === sha256(accessToken)) return undefined;
  return refusal("dpop_access_token", { received: describeClaim("ath", ath) });
}

function describeClaim(name: string, value: unknown): string {
  return value === undefined ? `no ${name}` : `${name} ${describeValue(value, 200)}`;
}
