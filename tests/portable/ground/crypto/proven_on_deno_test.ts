/** Which certificates the TLS library of Deno certainly reads, so that the handshake proves their keys (RFC 8446 §4.4.3). */

import { assertEquals } from "@std/assert";
import { createCertificate } from "../../../../src/ground/crypto/x509/certificate.ts";
import * as der from "../../../../src/ground/crypto/x509/der.ts";
import { readCertificates } from "../../../../src/ground/crypto/x509/pem.ts";
import { isProvenOnDeno } from "../../../../src/ground/crypto/x509/proven_on_deno.ts";
import { leaf, plain } from "../../../ground/crypto/openssl_certificates.ts";
import { test } from "../../../runner.ts";
import { buildCertificate, readKey } from "./build_certificate.ts";

const { cert } = await createCertificate({ hosts: ["client"], now: 0 });
const key = readKey(cert);
const purposes = der.objectIdentifier("2.5.29.37");
const value = der.octetString(der.sequence(der.objectIdentifier("1.3.6.1.5.5.7.3.2")));
const extension = der.sequence(purposes, value);
const bytes = (...octets: number[]) => new Uint8Array(octets);
const join = (...parts: readonly Uint8Array[]) => new Uint8Array(parts.flatMap((each) => [...each]));
const right = buildCertificate({ key, extensions: [extension] });
const withExtension = (...fields: der.Octets[]) =>
  buildCertificate({ key, extensions: [der.sequence(...fields)] });

/** The signature is the last value of a certificate, and has 9 octets: 03 09 00 … */
function withUnusedBits(certificate: Uint8Array): Uint8Array {
  const changed = new Uint8Array(certificate);
  changed[changed.lastIndexOf(0x03) + 2] = 1;
  return changed;
}

/** Fills an extension until the certificate has this length. */
function withLength(length: number): Uint8Array {
  const build = (filled: number) =>
    buildCertificate({
      key,
      extensions: [der.sequence(der.objectIdentifier("1.2.3.4"), der.octetString(new Uint8Array(filled)))],
    });
  const around = build(length - 1000).length - (length - 1000);
  return build(length - around);
}

const cases: readonly (readonly [what: string, certificate: Uint8Array, isProven: boolean])[] = [
  ["of version 3 with an extension", right, true],
  ["with a critical extension", withExtension(purposes, der.booleanTrue(), value), true],
  ["of this server", readCertificates(cert)[0]!, true],
  ["of OpenSSL", readCertificates(leaf)[0]!, true],
  ["of version 1", buildCertificate({ key, version: 1 }), false],
  ["of version 1 of OpenSSL", readCertificates(plain)[0]!, false],
  ["without extensions", buildCertificate({ key }), false],
  [
    "with the identifier of its issuer",
    buildCertificate({ key, identifiers: [der.implicit(1, [0, 1])], extensions: [extension] }),
    false,
  ],
  [
    "whose key is in another sequence",
    buildCertificate({ key: der.sequence(key), extensions: [extension] }),
    false,
  ],
  ["with another octet for TRUE", withExtension(purposes, bytes(1, 1, 1), value), false],
  [
    "whose extension has two values",
    withExtension(purposes, der.octetString(join(der.sequence(), der.sequence()))),
    false,
  ],
  ["whose purposes are no sequence", withExtension(purposes, der.octetString(der.utf8String("a"))), false],
  ["whose extension has more fields", withExtension(purposes, value, value), false],
  ["with an octet after it", join(right, bytes(0)), false],
  // The length of the certificate has two octets: 30 82 xx xx becomes 30 83 00 xx xx.
  ["with a length that is too long", join(bytes(0x30, 0x83, 0), right.subarray(2)), false],
  ["whose signature has unused bits", withUnusedBits(right), false],
  ["of 65,535 octets", withLength(0xffff), true],
  ["of 65,536 octets", withLength(0x10000), false],
  ["of which a part is missing", right.subarray(0, 100), false],
];

for (const [what, certificate, isProven] of cases) {
  test(`certificates: Deno ${isProven ? "checks" : "may not check"} the key of one ${what} (RFC 5280 §4.1)`, () => {
    assertEquals(isProvenOnDeno(certificate), isProven);
  });
}
