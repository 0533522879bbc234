/** A client with one key for each algorithm of encryption, and what decrypts the responses to it. */

import {
  compactDecrypt,
  type CompactDecryptResult,
  exportJWK,
  generateKeyPair,
  importJWK,
  type JWK,
} from "jose";
import type { ClientMetadata } from "../../../src/mod.ts";
import { redirectUri, sampleRsaKey } from "../../world.ts";

const { alg: _alg, ...rsaKey } = sampleRsaKey;
const { privateKey } = await generateKeyPair("ECDH-ES", { extractable: true });

/** The private keys. */
export const encryptionKeys: Readonly<Record<"RSA-OAEP-256" | "ECDH-ES", JWK>> = {
  "RSA-OAEP-256": { ...rsaKey as JWK, kid: "rsa-enc", use: "enc" },
  "ECDH-ES": { ...await exportJWK(privateKey), kid: "ec-enc", use: "enc" },
};

export function publicHalf({ kty, n, e, crv, x, y, kid, use, alg }: JWK): JsonWebKey {
  const members = { kty, n, e, crv, x, y, kid, use, alg };
  return Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined));
}

/** The JWK Set of the client. */
export const encryptionJwks: { readonly keys: readonly JsonWebKey[] } = {
  keys: Object.values(encryptionKeys).map(publicHalf),
};

/** A public client with these keys, and with other members. */
export function encryptingClient(members: Partial<ClientMetadata>): ClientMetadata {
  return { client_id: "public", redirect_uris: [redirectUri], jwks: encryptionJwks, ...members };
}

/** Decrypts a text with the key that its header names. */
export async function decrypt(text: string): Promise<CompactDecryptResult & { readonly text: string }> {
  const { kid, alg } = JSON.parse(atob(text.split(".")[0]!.replaceAll("-", "+").replaceAll("_", "/")));
  const jwk = Object.values(encryptionKeys).find((each) => each.kid === kid)!;
  const result = await compactDecrypt(text, await importJWK(jwk, alg));
  return { ...result, text: new TextDecoder().decode(result.plaintext) };
}
