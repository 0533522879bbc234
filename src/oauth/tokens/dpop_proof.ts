/** Reads and checks a DPoP proof: a JWT that is signed with the key in its header (RFC 9449 §4.3). */

import { sha256 } from "../../crypto/bytes.ts";
import { isVerifyingKey, type Jwk, publicJwk, thumbprint, verifiesWith } from "../../crypto/jwk.ts";
import {
  isNumericDate,
  type JwtHeader,
  readUnverifiedHeader,
  type VerifyingKey,
  verifyJwt,
} from "../../crypto/jwt.ts";
import { isJsonObject } from "../../schema/json_object.ts";
import { describeType, describeValue } from "../../schema/received.ts";
import { clockSkew, markMargin } from "../clock_skew.ts";
import { type AddedErrorCode, OAuthError, type RefusalDetails } from "../error.ts";
import type { ProofTerms } from "../feature.ts";
import type { Claims } from "../members.ts";
import type { DpopSettings } from "./dpop_settings.ts";
import { normaliseUrl } from "./normalise_url.ts";

export type DpopProofReason =
  | "dpop_header_repeated"
  | "dpop_malformed"
  | "dpop_type"
  | "dpop_algorithm"
  | "dpop_key"
  | "dpop_signature"
  | "dpop_method"
  | "dpop_url"
  | "dpop_time"
  | "dpop_id"
  | "dpop_access_token";

/** RFC 9449 §5. At a protected resource the status is 401 (§7.1). */
export const invalidProof: AddedErrorCode = { code: "invalid_dpop_proof", status: 400 };

/** A proof that fits its request. Its nonce is not checked, and it may have been used before. */
export interface DpopProof {
  readonly thumbprint: string;
  /** Identifies the proof for as long as it is valid. It is a hash, so a long `jti` needs no more room. */
  readonly id: string;
  readonly nonce: unknown;
  /** When no server accepts the proof any more, even if its clock is late. */
  readonly expiresAt: number;
}

/** The values that a proof must be made for. */
export interface ProofUse extends Pick<ProofTerms, "urls" | "accessToken"> {
  readonly method: string;
  readonly now: number;
}

// In seconds. A proof is made for one request, so it is used immediately (RFC 9449 §11.1).
const lifetime = 60;
// In characters. A proof with an RSA key of 8192 bits has about 4000.
const longestProof = 8192;

/** A key from the header of a proof. */
export interface ProofKey extends VerifyingKey {
  readonly thumbprint: string;
}

/** Returns the key for this header, or `undefined` if it is not a public key for its `alg`. */
export type FindProofKey = (header: JwtHeader) => ProofKey | undefined;

// A client sends many proofs with one key, and importing a key takes longer than a verification.
const mostCachedKeys = 1000;

/** Creates a function that reads the key of a proof. It caches the latest keys. */
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

/** Returns the proof in the header `DPoP`, or the error if the proof is not valid for this use. */
export async function readDpopProof(
  text: string,
  use: ProofUse,
  findKey: FindProofKey,
  { algorithms }: DpopSettings,
): Promise<DpopProof | OAuthError> {
  // Several headers are joined by commas, which a JWT cannot contain.
  if (text.includes(",")) {
    return refuse("The request has more than one DPoP header", {
      reason: "dpop_header_repeated",
      expected: "one DPoP header",
    });
  }
  const header = text.length > longestProof ? undefined : readUnverifiedHeader(text);
  if (header === undefined) {
    return refuse("The DPoP header is not a signed JWT", {
      reason: "dpop_malformed",
      expected: "one JWT with three parts",
    });
  }
  const wrongHeader = checkHeader(header, algorithms);
  if (wrongHeader !== undefined) return wrongHeader;
  const key = findKey(header);
  if (key === undefined) {
    return refuse("The DPoP proof has no public key that fits its alg", {
      reason: "dpop_key",
      expected: `jwk: a public key for ${header.alg}, without any private member`,
      received: describeKey(header.jwk),
    });
  }
  const jwt = await verifyJwt(text, () => key);
  if (jwt === undefined) {
    return refuse("The DPoP proof is not signed with the key in its header", {
      reason: "dpop_signature",
      expected: `a signature by the key ${key.thumbprint}`,
    });
  }
  const wrongClaims = checkClaims(jwt.claims, use);
  if (wrongClaims !== undefined) return wrongClaims;
  const { jti, iat, htu, nonce } = jwt.claims;
  return {
    thumbprint: key.thumbprint,
    // RFC 9449 §11.1: the jti is unique for its URL.
    id: sha256(JSON.stringify(["dpop_proof", key.thumbprint, normaliseUrl(htu as string), jti])),
    nonce,
    expiresAt: Math.ceil(iat as number) + lifetime + markMargin,
  };
}

function checkHeader(
  { typ, alg }: JwtHeader,
  algorithms: DpopSettings["algorithms"],
): OAuthError | undefined {
  if (!/^(application\/)?dpop\+jwt$/i.test(typ ?? "")) {
    return refuse("The JWT in the DPoP header is not a DPoP proof", {
      reason: "dpop_type",
      expected: "typ dpop+jwt",
      received: typ === undefined ? "no typ" : describeValue(typ),
    });
  }
  if (algorithms.some((each) => each === alg)) return undefined;
  return refuse("The DPoP proof is signed with an algorithm that is not accepted", {
    reason: "dpop_algorithm",
    expected: algorithms.join(", "),
    received: describeValue(alg),
  });
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
  return refuse("The DPoP proof has no jti", {
    reason: "dpop_id",
    expected: "jti: a text that is new in each proof",
    received: describeClaim("jti", jti),
  });
}

function checkMethod({ htm }: Claims, { method }: ProofUse): OAuthError | undefined {
  if (htm === method) return undefined;
  return refuse("The DPoP proof is for another method", {
    reason: "dpop_method",
    expected: `htm ${method}`,
    received: describeClaim("htm", htm),
  });
}

function checkUrl({ htu }: Claims, { urls }: ProofUse): OAuthError | undefined {
  const url = typeof htu === "string" ? normaliseUrl(htu) : undefined;
  if (url !== undefined && urls.some((each) => normaliseUrl(each) === url)) return undefined;
  return refuse("The DPoP proof is for another URL", {
    reason: "dpop_url",
    expected: `htu ${urls.join(" or ")}`,
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
  return refuse(
    `The DPoP proof ${isNumericDate(iat) ? isOld ? "has expired" : "is not valid yet" : "has no valid iat"}`,
    {
      reason: "dpop_time",
      expected: `iat within ${lifetime} seconds of ${Math.floor(now)}, which is now at the server`,
      received: [describeClaim("iat", iat), ...(hasBegun ? [] : [describeClaim("nbf", nbf)])]
        .concat(hasEnded ? [describeClaim("exp", exp)] : []).join(", "),
    },
  );
}

/** RFC 9449 §4.2: at a protected resource, the proof names the access token by its hash. */
function checkAccessToken({ ath }: Claims, { accessToken }: ProofUse): OAuthError | undefined {
  if (accessToken === undefined || ath === sha256(accessToken)) return undefined;
  return refuse("The DPoP proof is for another access token", {
    reason: "dpop_access_token",
    expected: "ath: the base64url of the SHA-256 of the access token",
    received: describeClaim("ath", ath),
  });
}

function describeClaim(name: string, value: unknown): string {
  return value === undefined ? `no ${name}` : `${name} ${describeValue(value, 200)}`;
}

function refuse(description: string, details: RefusalDetails<DpopProofReason>): OAuthError {
  return new OAuthError(invalidProof, description, { spec: "RFC 9449 §4.3", ...details });
}
