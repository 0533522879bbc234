/** The texts and octets in which programs keep a public key. A careless verifier takes them as the secret of an HMAC. */

import { Buffer } from "node:buffer";
import { createPublicKey, type KeyObject } from "node:crypto";
import type { PublicJwk } from "../../server/crypto/jwk.ts";
import type { PublicKeyForm } from "./names.ts";

/** Returns the key in one of the `publicKeyForms`. A key that is not RSA has no PKCS #1: its SPKI stands there. */
export function writePublicKey(form: string | undefined, jwk: PublicJwk): string | Buffer {
  return forms[form as PublicKeyForm](createPublicKey({ key: { ...jwk }, format: "jwk" }), jwk);
}

const forms: Readonly<Record<PublicKeyForm, (key: KeyObject, jwk: PublicJwk) => string | Buffer>> = {
  spki_pem: (key) => writePem(key, "spki"),
  spki_pem_trimmed: (key) => writePem(key, "spki").trimEnd(),
  spki_pem_indented: (key) => `\n${writePem(key, "spki")}`,
  spki_der: (key) => key.export({ type: "spki", format: "der" }),
  pkcs1_pem: (key) => writePem(key, "pkcs1"),
  pkcs1_pem_trimmed: (key) => writePem(key, "pkcs1").trimEnd(),
  pkcs1_pem_indented: (key) => `\n${writePem(key, "pkcs1")}`,
  pkcs1_der: (key) => key.export({ type: typeFor(key, "pkcs1"), format: "der" }),
  jwk: (_key, jwk) => JSON.stringify(jwk),
  modulus: (_key, jwk) => modulusOf(jwk),
  modulus_octets: (_key, jwk) => Buffer.from(modulusOf(jwk), "base64url"),
};

type KeyType = "spki" | "pkcs1";

function writePem(key: KeyObject, type: KeyType): string {
  return `${key.export({ type: typeFor(key, type), format: "pem" })}`;
}

function typeFor({ asymmetricKeyType }: KeyObject, type: KeyType): KeyType {
  return asymmetricKeyType === "rsa" ? type : "spki";
}

/** An elliptic curve has a point instead. */
function modulusOf({ n, x }: PublicJwk): string {
  return n ?? x!;
}
