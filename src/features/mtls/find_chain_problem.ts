/** Checks that a certificate leads to a trusted authority, at the time of the server (RFC 5280 §6). */

import { X509Certificate } from "node:crypto";
import { type CertificateContents, readCertificate } from "./certificate_contents.ts";

/** A certificate that has been read. */
export interface Read extends CertificateContents {
  readonly certificate: X509Certificate;
}

export interface ChainProblem {
  readonly reason: "untrusted" | "dates";
  readonly received: string;
}

// As deep as public authorities go, and few enough that a client cannot let the server verify for long.
const deepest = 5;

// RFC 5280 §4.2.1.12.
const clientAuthentication = "1.3.6.1.5.5.7.3.2";
const anyPurpose = "2.5.29.37.0";

/** Throws if the octets are not a certificate. */
export function readDerCertificate(der: Uint8Array): Read {
  return { certificate: new X509Certificate(der), ...readCertificate(der) };
}

/** Returns `undefined` if the certificate leads to one of the authorities. `others` are those that the client has sent. */
export function findChainProblem(
  own: Read,
  others: readonly Read[],
  authorities: readonly Read[],
  now: number,
): ChainProblem | undefined {
  const { purposes } = own;
  if (
    purposes !== undefined && !purposes.some((each) => each === clientAuthentication || each === anyPurpose)
  ) {
    return { reason: "untrusted", received: "a certificate that is not for the authentication of clients" };
  }
  return climb(own, 0);

  /** `below` counts the authorities between the client and this certificate. */
  function climb(certificate: Read, below: number): ChainProblem | undefined {
    const problem = findOwnProblem(certificate, now);
    if (problem !== undefined) return problem;
    const isIssuer = (each: Read) => each !== certificate && hasIssued(each, certificate, below);
    const authority = authorities.find(isIssuer);
    if (authority !== undefined) return findOwnProblem(authority, now);
    const issuers = below < deepest ? others.filter(isIssuer) : [];
    const problems = issuers.map((issuer) => climb(issuer, below + 1));
    if (problems.includes(undefined)) return undefined;
    return problems[0] ?? {
      reason: "untrusted",
      received: `a certificate from ${describe(certificate.certificate.issuer)}`,
    };
  }
}

function findOwnProblem(
  { certificate, validFrom, validTo, unknownExtensions }: Read,
  now: number,
): ChainProblem | undefined {
  if (now < validFrom || now > validTo) {
    const format = (seconds: number) => new Date(seconds * 1000).toISOString();
    return {
      reason: "dates",
      received: `${describe(certificate.subject)}, valid from ${format(validFrom)} to ${format(validTo)}`,
    };
  }
  if (unknownExtensions.length === 0) return undefined;
  return {
    reason: "untrusted",
    received: `${describe(certificate.subject)}, with critical extensions that this server does not know: ` +
      unknownExtensions.join(", "),
  };
}

function hasIssued({ certificate: issuer, authority }: Read, { certificate }: Read, below: number): boolean {
  return authority.isAuthority && authority.pathLength >= below && certificate.checkIssued(issuer) &&
    certificate.verify(issuer.publicKey);
}

/** The text of a name, whose lines are its parts. */
function describe(name: string): string {
  return name.split("\n").join(", ");
}
