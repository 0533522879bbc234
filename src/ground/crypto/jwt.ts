/** Signs and verifies JSON Web Tokens (RFC 7515, 7519). jose verifies those that another party signed. */

import { encodePart, fromBase64url, toBase64url } from "./bytes.ts";
import { loadJose } from "./jose.ts";
import { remember } from "../values/remember.ts";
import { isObject } from "./jwt_parts.ts";
import { type Jwk, materialOf, type PublicJwk, publicJwk, publicMembersOf, thumbprint } from "./jwk.ts";
import {
  digest,
  hmacSha256,
  importSigner,
  importVerifier,
  type Sign,
  type SigningAlgorithm,
  type Verify,
} from "./platform.ts";

export interface SigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly publicJwk: PublicJwk;
  readonly sign: Sign;
  readonly header: (typ: string) => string;
  readonly verify: Verify;
}

/** The imported frozen keys, because many servers may have the same key, and it cannot change. */
const frozenKeys = new WeakMap<Jwk, Map<SigningAlgorithm, Promise<SigningKey>>>();

/** Imports a key. Its id is the RFC 7638 thumbprint, so the same key has the same id on every server. */
export function importSigningKey(jwk: Jwk, alg: SigningAlgorithm): Promise<SigningKey> {
  if (!Object.isFrozen(jwk)) return createSigningKey(jwk, alg);
  return remember(remember(frozenKeys, jwk, () => new Map()), alg, () => createSigningKey(jwk, alg));
}

async function createSigningKey(jwk: Jwk, alg: SigningAlgorithm): Promise<SigningKey> {
  const kid = thumbprint(jwk);
  const key = publicJwk(jwk, kid, alg);
  return {
    kid,
    alg,
    publicJwk: key,
    sign: await importSigner(materialOf(jwk), publicMembersOf(jwk), alg),
    header: createHeaders(alg, kid),
    verify: createVerifier(jwk, alg),
  };
}

/** Signs a JWT (RFC 7515 §7.1). Joining the parts by hand takes a quarter less time than a library. */
export function signJwt(
  key: SigningKey,
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): string | Promise<string> {
  return signText(key, `${key.header(typ)}.${encodePart(claims)}`);
}

/**
 * Signs a JWT with any header. A test that needs an invalid token may name another algorithm than that of the key, or give
 * the claims as text or octets that are no usual JSON.
 */
export async function signWithHeader(
  key: SigningKey,
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>> | string | Uint8Array,
): Promise<string> {
  return await signText(key, `${encodePart(header)}.${encodePart(claims)}`);
}

/** A signature that is computed at once needs no promise. */
function signText({ sign }: SigningKey, input: string): string | Promise<string> {
  const signature = sign(input);
  return signature instanceof Uint8Array
    ? `${input}.${toBase64url(signature)}`
    : signature.then((octets) => `${input}.${toBase64url(octets)}`);
}

/** Encodes the header once for each type, because it is the same in every token of that type. */
function createHeaders(alg: SigningAlgorithm, kid: string): (typ: string) => string {
  const known = new Map<string, string>();
  return (typ) => {
    let header = known.get(typ);
    if (header === undefined) known.set(typ, header = encodePart({ alg, typ, kid }));
    return header;
  };
}

/** Imports the public key at its first use, because many servers never verify. */
function createVerifier(jwk: Jwk, alg: SigningAlgorithm): Verify {
  let verify: Verify | undefined;
  return async (text, signature) => {
    verify ??= await importVerifier(publicMembersOf(jwk), alg);
    return await verify(text, signature);
  };
}

export interface VerifiedJwt {
  readonly typ: string | undefined;
  readonly alg: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

// In characters. Longer than any token of the server or of a client. A longer text is refused before it is decoded.
const longestJwt = 32_768;

/** The key decides the algorithm (RFC 8725 §3.1). Returns `undefined` if the JWT is not valid. */
export async function verifyJwt(
  text: string,
  findKey: (kid: string | undefined, alg: string) => VerifyingKey | undefined,
): Promise<VerifiedJwt | undefined> {
  const header = readUnverifiedHeader(text);
  const key = header && findKey(header.kid, header.alg);
  // A key must be the same object each time, because jose caches the imported key by the object.
  return key && await verifyWith(key.publicJwk, key.alg, text);
}

const secretAlgorithm = "HS256";

/** Verifies a JWT that a secret signs, with HS256 only: no public key can stand in for the secret (RFC 8725 §3.1). */
export async function verifyWithSecret(text: string, secret: string): Promise<VerifiedJwt | undefined> {
  if (readUnverifiedHeader(text)?.alg !== secretAlgorithm) return undefined;
  return await verifyWith(new TextEncoder().encode(secret), secretAlgorithm, text);
}

/** Signs a JWT with HS256 (RFC 7518 §3.2). */
export function signWithSecret(secret: string, claims: Readonly<Record<string, unknown>>): string {
  const input = `${encodePart({ alg: secretAlgorithm })}.${encodePart(claims)}`;
  return `${input}.${hmacSha256(secret, input)}`;
}

async function verifyWith(
  key: PublicJwk | Uint8Array,
  alg: string,
  text: string,
): Promise<VerifiedJwt | undefined> {
  const { compactVerify, errors } = await loadJose();
  try {
    const { protectedHeader, payload } = await compactVerify(text, key, { algorithms: [alg] });
    // RFC 7797 §7: the payload of a JWT must be encoded.
    if (protectedHeader.b64 === false) return undefined;
    const claims = readObject(payload);
    return claims && { typ: protectedHeader.typ, alg, claims };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** Reads a header or claims, which must be a JSON object in UTF-8 (RFC 7519 §7.2). */
function readObject(octets: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(octets));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

// The end of the year 9999 in seconds. Later times, and those before 1970, are no dates in many programs.
const endOfTime = 253_402_300_800;

/** Whether a claim is a time in seconds (RFC 7519 §2, NumericDate), in the years 1970 to 9999. */
export function isNumericDate(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value < endOfTime;
}

export interface VerifyingKey {
  readonly alg: string;
  readonly publicJwk: PublicJwk;
}

export interface JwtHeader {
  readonly kid: string | undefined;
  readonly alg: string;
  readonly typ: string | undefined;
  /** The extensions that a reader must understand (RFC 7515 §4.1.11). */
  readonly crit: unknown;
  /** The key that the sender chose. It proves nothing but the possession of this key (RFC 7515 §4.1.3). */
  readonly jwk: unknown;
}

/** Returns the header of a JWT without verifying its signature, or `undefined` if the text is no JWT. */
export function readUnverifiedHeader(text: string): JwtHeader | undefined {
  if (text.length > longestJwt || !/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(text)) {
    return undefined;
  }
  const { alg, kid, typ, crit, jwk } = readObject(fromBase64url(text.slice(0, text.indexOf(".")))) ?? {};
  if (typeof alg !== "string" || !isTextOrAbsent(kid) || !isTextOrAbsent(typ)) return undefined;
  return { alg, kid, typ, crit, jwk };
}

/** Checks kid and typ, which must be strings (RFC 7515 §4.1.4, §4.1.9). */
function isTextOrAbsent(value: unknown): value is string | undefined {
  return value === undefined || typeof value === "string";
}

/** Returns the claims of a JWT without verifying its signature. Use them only to find the key. */
export function readUnverified(text: string): Readonly<Record<string, unknown>> | undefined {
  return readUnverifiedHeader(text) && readClaims(text);
}

/** Returns the claims of a JWT whose header could be read. */
export function readClaims(text: string): Readonly<Record<string, unknown>> | undefined {
  return readObject(fromBase64url(text.slice(text.indexOf(".") + 1, text.lastIndexOf("."))));
}

/** The `at_hash` of an ID token, whose signature chooses the hash function (OpenID Connect Core §3.1.3.6). */
export function hashToken(text: string, alg: SigningAlgorithm): string {
  const octets = digest(alg === "EdDSA" ? "sha512" : "sha256", text);
  return toBase64url(octets.subarray(0, octets.length / 2));
}
