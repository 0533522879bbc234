/** The texts and octets in which programs keep a public key. A careless verifier takes them as the secret of an HMAC. */

import { fromBase64url } from "../../ground/crypto/bytes.ts";
import type { PublicJwk } from "../../ground/crypto/jwk.ts";
import {
  bitString,
  integer,
  nullValue,
  objectIdentifier,
  type Octets,
  sequence,
} from "../../ground/crypto/x509/der.ts";
import { toPem } from "../../ground/crypto/x509/pem.ts";
import { encodeOctets, joinOctets, utf8Of } from "../../ground/values/octets.ts";
import type { PublicKeyForm } from "./names.ts";

/** Returns the key in one of the `publicKeyForms`. A key that is not RSA has no PKCS #1: its SPKI stands there. */
export function writePublicKey(form: string | undefined, jwk: PublicJwk): string | Uint8Array {
  return forms[form as PublicKeyForm](jwk);
}

const forms: Readonly<Record<PublicKeyForm, (jwk: PublicJwk) => string | Uint8Array>> = {
  spki_pem: (jwk) => spkiPem(jwk),
  spki_pem_trimmed: (jwk) => spkiPem(jwk).trimEnd(),
  spki_pem_indented: (jwk) => `\n${spkiPem(jwk)}`,
  spki_der: (jwk) => spki(jwk),
  pkcs1_pem: (jwk) => pkcs1Pem(jwk),
  pkcs1_pem_trimmed: (jwk) => pkcs1Pem(jwk).trimEnd(),
  pkcs1_pem_indented: (jwk) => `\n${pkcs1Pem(jwk)}`,
  pkcs1_der: (jwk) => isRsa(jwk) ? pkcs1(jwk) : spki(jwk),
  jwk: (jwk) => JSON.stringify(jwk),
  modulus: (jwk) => modulusOf(jwk),
  modulus_octets: (jwk) =>
    jwk.kty === "EC" ? Uint8Array.from(uncompressedPoint(jwk)) : fromBase64url(modulusOf(jwk)),
  openssh: (jwk) => openssh(jwk),
  empty: () => "",
};

const isRsa = ({ kty }: PublicJwk) => kty === "RSA";

function spkiPem(jwk: PublicJwk): string {
  return toPem("PUBLIC KEY", spki(jwk));
}

function pkcs1Pem(jwk: PublicJwk): string {
  return isRsa(jwk) ? toPem("RSA PUBLIC KEY", pkcs1(jwk)) : spkiPem(jwk);
}

/** SubjectPublicKeyInfo (RFC 5280 §4.1; RFC 8017, Appendix A.1; RFC 5480 §2; RFC 8410 §4). */
function spki(jwk: PublicJwk): Octets {
  const [algorithm, key] = isRsa(jwk)
    ? [[objectIdentifier("1.2.840.113549.1.1.1"), nullValue()], pkcs1(jwk)]
    : jwk.kty === "EC"
    ? [["1.2.840.10045.2.1", "1.2.840.10045.3.1.7"].map(objectIdentifier), uncompressedPoint(jwk)]
    : [[objectIdentifier("1.3.101.112")], octetsOf(jwk, "x")];
  return sequence(sequence(...algorithm), bitString(key));
}

/** RSAPublicKey (RFC 8017, Appendix A.1.1). */
function pkcs1(jwk: PublicJwk): Octets {
  return sequence(integer(octetsOf(jwk, "n")), integer(octetsOf(jwk, "e")));
}

/** SEC 1 §2.3.3. */
function uncompressedPoint(jwk: PublicJwk): readonly number[] {
  return [4, ...octetsOf(jwk, "x"), ...octetsOf(jwk, "y")];
}

function octetsOf(jwk: PublicJwk, member: string): Uint8Array {
  return fromBase64url(`${jwk[member]}`);
}

/** An elliptic curve has a point instead. */
function modulusOf({ n, x }: PublicJwk): string {
  return n ?? x!;
}

/** A line of authorized_keys without a comment (RFC 4253 §6.6; RFC 5656 §3.1; RFC 8709 §4). */
function openssh(jwk: PublicJwk): string {
  const [type, parts] = isRsa(jwk)
    ? ["ssh-rsa", [octetsOf(jwk, "e"), unsigned(octetsOf(jwk, "n"))]]
    : jwk.kty === "EC"
    ? ["ecdsa-sha2-nistp256", [utf8Of("nistp256"), Uint8Array.from(uncompressedPoint(jwk))]]
    : ["ssh-ed25519", [octetsOf(jwk, "x")]];
  const blob = joinOctets([utf8Of(type), ...parts].flatMap((part) => [lengthOf(part), part]));
  return `${type} ${encodeOctets(blob, "base64")}`;
}

/** The first bit of a number is its sign (RFC 4251 §5). */
function unsigned(octets: Uint8Array): Uint8Array {
  return octets[0]! < 0x80 ? octets : Uint8Array.of(0, ...octets);
}

function lengthOf({ length }: Uint8Array): Uint8Array {
  return Uint8Array.of(0, 0, length >> 8, length & 0xff);
}
