/** Signs a certificate, by WebCrypto alone (RFC 5280). */

import {
  bitString,
  booleanTrue,
  explicit,
  integer,
  objectIdentifier,
  type Octets,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from "./der.ts";
import type { Attribute, DistinguishedName } from "./distinguished_name.ts";
import { toPem } from "./pem.ts";

/** In seconds since 1970 by the system clock, because TLS clients compare the dates with their system clock. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

export interface Party {
  readonly name: Octets;
  readonly keyId: Octets;
}

export interface Contents {
  readonly issuer: Party;
  readonly subject: Party;
  readonly publicKey: Octets;
  readonly validity: Validity;
  readonly extensions: readonly Octets[];
}

export const curve = { name: "ECDSA", namedCurve: "P-256" } as const;

/** Puts a public key into a certificate, for readers of certificates that trust where they got it. Returns PEM. */
export async function certifyKey(publicKey: Octets, name: string, validity: Validity): Promise<string> {
  const { privateKey } = await crypto.subtle.generateKey(curve, false, ["sign"]) as CryptoKeyPair;
  const party = { name: commonName(name), keyId: new Uint8Array() };
  const certificate = { issuer: party, subject: party, publicKey, validity, extensions: [] };
  return toPem("CERTIFICATE", await signCertificate(privateKey, certificate));
}

/** RFC 5280 §4.1 */
export async function signCertificate(key: CryptoKey, contents: Contents): Promise<Octets> {
  const { issuer, subject, publicKey, validity, extensions } = contents;
  // ecdsa-with-SHA256 (RFC 5758 §3.2)
  const algorithm = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
  const signed = sequence(
    // v3
    explicit(0, integer([2])),
    integer(createSerialNumber()),
    algorithm,
    issuer.name,
    sequence(time(validity.from), time(validity.until)),
    subject.name,
    publicKey,
    // A sequence of extensions has at least one.
    ...(extensions.length === 0 ? [] : [explicit(3, sequence(...extensions))]),
  );
  const signature = new Uint8Array(await crypto.subtle.sign({ ...curve, hash: "SHA-256" }, key, signed));
  // WebCrypto returns r and s in one array, but RFC 3279 §2.2.3 requires a sequence of two integers.
  const numbers = sequence(integer(signature.subarray(0, 32)), integer(signature.subarray(32)));
  return sequence(signed, algorithm, bitString(numbers));
}

/** At most 20 octets (RFC 5280 §4.1.2.2). Random, because the CAs of all mocks have the same name. */
function createSerialNumber(): Octets {
  return crypto.getRandomValues(new Uint8Array(16));
}

export function encodeName(parts: DistinguishedName): Octets {
  const encode = ({ type, value }: Attribute) =>
    sequence(objectIdentifier(type), typeof value === "string" ? utf8String(value) : new Uint8Array(value));
  return sequence(...parts.map((part) => setOf(...part.map(encode))));
}

export function commonName(value: string): Octets {
  return encodeName([[{ type: "2.5.4.3", value }]]);
}

export function critical(id: string, value: Octets): Octets {
  return sequence(objectIdentifier(id), booleanTrue(), octetString(value));
}

export function extension(id: string, value: Octets): Octets {
  return sequence(objectIdentifier(id), octetString(value));
}

export function subjectKeyIdentifier({ keyId }: Party): Octets {
  return extension("2.5.29.14", octetString(keyId));
}
