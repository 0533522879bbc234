/**
 * Signs and verifies JWTs in the way that takes the least processor time on each runtime, and without a library: both
 * would lower the limit.
 */
import { exportJWK, generateKeyPair, importJWK, type JWK } from "jose";
import { Buffer } from "node:buffer";
import { createPrivateKey, createPublicKey, type KeyObject, randomBytes, sign, verify } from "node:crypto";

export type Claims = Readonly<Record<string, unknown>>;

export interface BareSigner {
  signJwt(typ: string, claims: Claims): Promise<string>;
  /** Verifies the signature, and returns the claims. */
  readJwt(token: string): Promise<Claims>;
}

export async function createBareSigner(alg: string): Promise<BareSigner> {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const jwks = { private: await exportJWK(privateKey), public: await exportJWK(publicKey) };
  const inThread = await signInThread(alg, jwks);
  const atOnce = signAtOnce(alg, jwks);
  // Measured: ECDSA of node:crypto is the slower one on Deno only. A signature of RSA takes long enough for a thread.
  const isSlow = alg === "ES256" && "Deno" in globalThis;
  const signInput = isSlow || alg === "RS256" ? inThread.sign : atOnce.sign;
  const verifyInput = isSlow ? inThread.verify : atOnce.verify;
  const kid = randomBytes(32).toString("base64url");
  return {
    async signJwt(typ, claims) {
      const input = `${encode({ alg, typ, kid })}.${encode(claims)}`;
      return `${input}.${(await signInput(Buffer.from(input))).toString("base64url")}`;
    },
    async readJwt(token) {
      const end = token.lastIndexOf(".");
      const signature = Buffer.from(token.slice(end + 1), "base64url");
      if (await verifyInput(Buffer.from(token.slice(0, end)), signature)) return decodeClaims(token);
      throw new Error("The signature of the token is wrong");
    },
  };
}

/** Does not verify the signature. */
export function decodeClaims(token: string): Claims {
  return JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString()) as Claims;
}

function encode(value: Claims): string {
  return Buffer.from(JSON.stringify(value)).toString("base64url");
}

type Octets = Buffer<ArrayBuffer>;

interface Signatures {
  sign(input: Octets): Buffer | Promise<Buffer>;
  verify(input: Octets, signature: Octets): boolean | Promise<boolean>;
}

interface Jwks {
  readonly private: JWK;
  readonly public: JWK;
}

async function importKey(jwk: JWK, alg: string): Promise<CryptoKey> {
  const key = await importJWK(jwk, alg);
  if (key instanceof Uint8Array) throw new Error(`Expected an asymmetric key for ${alg}`);
  return key;
}

/** Imports the keys, because Deno verifies with a generated one in twice the time. */
async function signInThread(alg: string, jwks: Jwks): Promise<Signatures> {
  const privateKey = await importKey(jwks.private, alg);
  const publicKey = await importKey(jwks.public, alg);
  // Only ECDSA needs the hash here. The other algorithms have it in the key or in their name.
  const algorithm = { name: privateKey.algorithm.name, hash: "SHA-256" };
  return {
    sign: async (input) => Buffer.from(await crypto.subtle.sign(algorithm, privateKey, input)),
    verify: (input, signature) => crypto.subtle.verify(algorithm, publicKey, signature, input),
  };
}

function signAtOnce(alg: string, jwks: Jwks): Signatures {
  const privateKey = createPrivateKey({ key: jwks.private, format: "jwk" });
  const publicKey = createPublicKey({ key: jwks.public, format: "jwk" });
  const hash = alg === "EdDSA" ? null : "sha256";
  // RFC 7518 §3.4: the two numbers of ECDSA side by side
  const terms = (key: KeyObject) => ({ key, dsaEncoding: "ieee-p1363" as const });
  const [signing, verifying] = [terms(privateKey), terms(publicKey)];
  return {
    sign: (input) => sign(hash, input, signing),
    verify: (input, signature) => verify(hash, input, verifying, signature),
  };
}
