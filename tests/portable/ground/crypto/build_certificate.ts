/** Builds certificates of any form. Their signatures are wrong, which no listener checks. */

import { createPublicKey } from "node:crypto";
import * as der from "../../../../src/ground/crypto/x509/der.ts";

interface Terms {
  /** The public key in DER. */
  readonly key: der.Octets;
  readonly version?: 1 | 3;
  /** The names of the subject and of its issuer in DER. */
  readonly subject?: der.Octets;
  readonly issuer?: der.Octets;
  /** What follows the key, and comes before the extensions. */
  readonly identifiers?: readonly der.Octets[];
  readonly extensions?: readonly der.Octets[];
}

export function buildCertificate(
  { key, version = 3, subject = nameOf("client"), issuer = subject, identifiers = [], extensions = [] }:
    Terms,
): der.Octets {
  const algorithm = der.sequence(der.objectIdentifier("1.2.840.10045.4.3.2"));
  const signed = der.sequence(
    ...version === 3 ? [der.explicit(0, der.integer([2]))] : [],
    der.integer([1]),
    algorithm,
    issuer,
    der.sequence(der.time(0), der.time(4_000_000_000)),
    subject,
    key,
    ...identifiers,
    ...extensions.length > 0 ? [der.explicit(3, der.sequence(...extensions))] : [],
  );
  return der.sequence(
    signed,
    algorithm,
    der.bitString(der.sequence(der.integer([1]), der.integer([1]))),
  );
}

/** Returns the name `CN=…` in DER. */
export function nameOf(common: string): der.Octets {
  return der.sequence(der.setOf(der.sequence(der.objectIdentifier("2.5.4.3"), der.utf8String(common))));
}

/** Returns the public key of a certificate in DER. */
export function readKey(pem: string): der.Octets {
  return new Uint8Array(createPublicKey(pem).export({ format: "der", type: "spki" }));
}
