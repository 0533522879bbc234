/** Checks that a certificate leads to a trusted authority, at the time of the server (RFC 5280 §6). */

import type { X509Certificate } from "node:crypto";
import {
  type CertificateContents,
  isFor,
  isIssuedBy,
  readCertificate,
} from "../../../ground/crypto/x509/certificate_contents.ts";
import { parseCertificate } from "../../../ground/crypto/x509/parsed_certificate.ts";
import { describeValue } from "../../../ground/schema/received.ts";

/** A certificate as `readCertificate` and as Node read it. */
export interface ReadCertificate extends CertificateContents {
  readonly certificate: X509Certificate;
}

export interface ChainProblem {
  readonly reason: "untrusted" | "dates";
  readonly received: string;
}

// Public authorities need fewer. More would let a client keep the server busy.
const mostOthers = 5;

/** Throws if the octets are not a certificate. */
export function readDerCertificate(der: Uint8Array): ReadCertificate {
  return { certificate: parseCertificate(der), ...readCertificate(der) };
}

/** `others`: what the client has sent. Each is tried once, nearest to the client, because many can sign one another. */
export function findChainProblem(
  own: ReadCertificate,
  others: readonly ReadCertificate[],
  authorities: readonly ReadCertificate[],
  now: number,
): ChainProblem | undefined {
  // The client signs the handshake.
  if (!own.maySign) {
    return untrusted(
      `${describeDistinguishedName(own.certificate.subject)}, whose keyUsage lacks digitalSignature`,
    );
  }
  const problems: ChainProblem[] = [];
  let untried = others.slice(0, mostOthers);
  let level: readonly ReadCertificate[] = [own];
  // The number of authorities between the client and this level.
  for (let below = 0; level.length > 0; below++) {
    const next: ReadCertificate[] = [];
    for (const certificate of level) {
      const isIssuer = (each: ReadCertificate) => hasIssued(each, certificate, below);
      const problem = findOwnProblem(certificate, now);
      if (problem !== undefined) {
        problems.push(problem);
        continue;
      }
      // An authority may have several certificates: an old one, and a new one with the same key.
      const found = authorities.filter(isIssuer).map((authority) => findOwnProblem(authority, now));
      if (found.includes(undefined)) return undefined;
      const issuers = untried.filter(isIssuer);
      untried = untried.filter((each) => !issuers.includes(each));
      next.push(...issuers);
      problems.push(...found.flatMap((each) => each ?? []));
      if (found.length === 0 && issuers.length === 0) {
        problems.push(
          untrusted(`a certificate from ${describeDistinguishedName(certificate.certificate.issuer)}`),
        );
      }
    }
    level = next;
  }
  return problems[0];
}

function findOwnProblem(read: ReadCertificate, now: number): ChainProblem | undefined {
  const { certificate, validFrom, validTo, unprocessedExtensions } = read;
  if (now < validFrom || now > validTo) {
    const format = (seconds: number) => new Date(seconds * 1000).toISOString();
    return {
      reason: "dates",
      received: `${describeDistinguishedName(certificate.subject)}, valid from ${format(validFrom)} to ${
        format(validTo)
      }`,
    };
  }
  // An authority may be for servers only, too.
  if (!isFor("clients", read)) {
    return untrusted(
      `${describeDistinguishedName(certificate.subject)}, which is not for the authentication of clients`,
    );
  }
  if (unprocessedExtensions.length === 0) return undefined;
  return untrusted(
    `${describeDistinguishedName(certificate.subject)}, with extensions that this server does not process: ` +
      unprocessedExtensions.join(", "),
  );
}

function untrusted(received: string): ChainProblem {
  return { reason: "untrusted", received };
}

function hasIssued(
  { certificate: issuer, authority }: ReadCertificate,
  { certificate }: ReadCertificate,
  below: number,
): boolean {
  return authority.isAuthority && authority.pathLength >= below && isIssuedBy(certificate, issuer);
}

// In characters. The client chooses the names of its certificates.
const longestName = 200;

/** The lines of a name are its parts. */
function describeDistinguishedName(name: string): string {
  return describeValue(name.split("\n").join(", "), longestName);
}
