/** JSON Web Tokens: making keys and signing and verifying (RFC 7515, 7519). The only file that knows jose. */

import {
  calculateJwkThumbprint,
  compactVerify,
  decodeJwt,
  decodeProtectedHeader,
  errors,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from "jose";
import { Buffer } from "node:buffer";
import { toBase64url } from "./bytes.ts";
import { type PublicJwk, publicJwk, type SigningAlgorithm } from "./jwk.ts";

export interface SigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly privateKey: CryptoKey;
  readonly publicKey: CryptoKey;
  readonly publicJwk: PublicJwk;
}

export async function generateSigningJwk(alg: SigningAlgorithm): Promise<JsonWebKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true, modulusLength: 2048 });
  return await exportJWK(privateKey);
}

/** The key id is the RFC 7638 thumbprint: the same key has the same name everywhere. */
export async function importSigningKey(jwk: JsonWebKey, alg: SigningAlgorithm): Promise<SigningKey> {
  const kid = await calculateJwkThumbprint(jwk as JWK);
  const shown = publicJwk(jwk, kid, alg);
  const [privateKey, publicKey] = await Promise.all([
    importJWK({ ...jwk, alg } as JWK, alg),
    importJWK(shown as unknown as JWK, alg),
  ]);
  return {
    kid,
    alg,
    privateKey: privateKey as CryptoKey,
    publicKey: publicKey as CryptoKey,
    publicJwk: shown,
  };
}

/** RFC 7515 §7.1, written out: what is signed often is made with a quarter less work than a builder takes. */
export async function signJwt(
  key: SigningKey,
  typ: string,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  return await sign(key, `${headerOf(key, typ)}.${encodeText(JSON.stringify(claims))}`);
}

/** Whatever the header says, the key signs as it does: a token that is wrong on purpose has to come from somewhere. */
export async function signWithHeader(
  key: SigningKey,
  header: Readonly<Record<string, unknown>>,
  claims: Readonly<Record<string, unknown>>,
): Promise<string> {
  return await sign(key, `${encodeText(JSON.stringify(header))}.${encodeText(JSON.stringify(claims))}`);
}

async function sign({ alg, privateKey }: SigningKey, input: string): Promise<string> {
  const signature = await crypto.subtle.sign(signatures[alg], privateKey, Buffer.from(input));
  return `${input}.${toBase64url(new Uint8Array(signature))}`;
}

/** RFC 7518 §3.1, RFC 8037 §3.1, in the words of WebCrypto. */
const signatures: Readonly<Record<SigningAlgorithm, Algorithm | RsaPssParams | EcdsaParams>> = {
  RS256: { name: "RSASSA-PKCS1-v1_5" },
  PS256: { name: "RSA-PSS", saltLength: 32 },
  ES256: { name: "ECDSA", hash: "SHA-256" },
  EdDSA: { name: "Ed25519" },
};

const headers = new WeakMap<SigningKey, Map<string, string>>();

/** The same for every token of one type. */
function headerOf(key: SigningKey, typ: string): string {
  let known = headers.get(key);
  if (known === undefined) headers.set(key, known = new Map());
  let header = known.get(typ);
  if (header === undefined) {
    known.set(typ, header = encodeText(JSON.stringify({ alg: key.alg, typ, kid: key.kid })));
  }
  return header;
}

function encodeText(text: string): string {
  return Buffer.from(text).toString("base64url");
}

export interface VerifiedJwt {
  readonly typ: string | undefined;
  readonly alg: string;
  readonly claims: Readonly<Record<string, unknown>>;
}

// Longer than any token of ours or of a client's: refused before anything is decoded (TOK-03).
const longestJwt = 32_768;

/** A JWS of one of these keys, its algorithm pinned by the key (RFC 8725 §3.1). `undefined` when it is none. */
export async function verifyJwt(
  text: string,
  findKey: (kid: string | undefined, alg: string) => VerifyingKey | undefined,
): Promise<VerifiedJwt | undefined> {
  const header = readHeader(text);
  const key = header && findKey(header.kid, header.alg);
  if (key === undefined) return undefined;
  try {
    const { protectedHeader, payload } = await compactVerify(text, key.publicKey, { algorithms: [key.alg] });
    // RFC 7797 §7: a JWT is never unencoded.
    if (protectedHeader.b64 === false) return undefined;
    const claims = readClaims(payload);
    return claims && { typ: protectedHeader.typ, alg: key.alg, claims };
  } catch (error) {
    if (error instanceof errors.JOSEError || error instanceof TypeError) return undefined;
    throw error;
  }
}

/** RFC 7519 §7.2: the claims are a JSON object, in UTF-8. */
function readClaims(payload: Uint8Array): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(utf8.decode(payload));
    return typeof value === "object" && value !== null && !Array.isArray(value)
      ? value as Record<string, unknown>
      : undefined;
  } catch {
    return undefined;
  }
}

const utf8 = new TextDecoder("utf-8", { fatal: true });

/** What is needed of a key to check what it signed. */
export interface VerifyingKey {
  readonly alg: string;
  readonly publicKey: CryptoKey;
}

export async function importVerifyingKey(jwk: JsonWebKey, alg: string): Promise<VerifyingKey> {
  return { alg, publicKey: await importJWK(jwk as JWK, alg) as CryptoKey };
}

function readHeader(text: string): { readonly kid: string | undefined; readonly alg: string } | undefined {
  if (text.length > longestJwt || !/^[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+\.[A-Za-z0-9_-]+$/.test(text)) {
    return undefined;
  }
  try {
    const { kid, alg } = decodeProtectedHeader(text);
    return typeof alg === "string" ? { kid, alg } : undefined;
  } catch {
    return undefined;
  }
}

/** What a JWT says of itself before anybody has checked it: good for finding the key, and for nothing else. */
export function readUnverified(text: string): Readonly<Record<string, unknown>> | undefined {
  if (readHeader(text) === undefined) return undefined;
  try {
    return decodeJwt(text);
  } catch {
    return undefined;
  }
}
