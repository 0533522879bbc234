/** Checks the certificates of a server. If Deno 2.9 cannot read one, such as one of version 1, it only compares names. */

import { Buffer } from "node:buffer";
import type { X509Certificate } from "node:crypto";
import tls, { type DetailedPeerCertificate, type PeerCertificate } from "node:tls";
import { isFor, isIssuedBy, readCertificate } from "./certificate_contents.ts";
import { parseCertificate } from "./parsed_certificate.ts";
import { readCertificates } from "./pem.ts";
import { isDeno } from "../platform.ts";
import { attempt } from "../../values/attempt.ts";
import { isProvenOnDeno } from "./proven_on_deno.ts";

/** Returns what is wrong with the certificates, besides the names of the server. */
export type CheckServer = (certificate: PeerCertificate) => Error | undefined;

export const unprovenServer: string =
  "Deno cannot check that the server holds the key of its certificate: let the authority issue one " +
  "of version 3 with extensions, or start with Node or Bun";

/** Returns `undefined` on the other runtimes. `authorities`: certificates in PEM. Default: those of the runtime. */
export function createServerCheck(authorities: string | undefined): CheckServer | undefined {
  if (!isDeno()) return undefined;
  const pem = authorities ?? tls.getCACertificates("default").join("\n");
  // Authorities that cannot be read are skipped, as Deno does.
  const trusted = readCertificates(pem).flatMap((der) => attempt(() => parseCertificate(der)) ?? []);
  return (certificate) => {
    try {
      const sent = listCertificates(certificate);
      if (!isProvenOnDeno(sent[0]!)) return certificateError(unprovenServer);
      if (!isFor("servers", readCertificate(sent[0]!))) {
        return certificateError("the certificate is not for servers");
      }
      if (leadsTo(trusted, sent.map(parseCertificate))) return undefined;
    } catch {
      // A certificate cannot be read, or has a key of a kind that Deno does not know.
    }
    return certificateError("no authority that is trusted has signed the certificate");
  };
}

function leadsTo(trusted: readonly X509Certificate[], sent: readonly X509Certificate[]): boolean {
  const reached = sent.slice(0, 1).filter(isCurrent);
  // The list grows while it is read.
  for (const each of reached) {
    if (trusted.some((authority) => isSame(each, authority) || isIssuedBy(each, authority))) return true;
    reached.push(
      ...sent.filter((other) =>
        !reached.includes(other) && other.ca && isCurrent(other) && isIssuedBy(each, other)
      ),
    );
  }
  return false;
}

function listCertificates(certificate: PeerCertificate): readonly Uint8Array[] {
  const found: Uint8Array[] = [];
  let each: Partial<DetailedPeerCertificate> | undefined = certificate;
  // The last certificate may name itself as its issuer.
  while (each?.raw !== undefined && found.length < 10) {
    found.push(each.raw);
    each = each.issuerCertificate;
  }
  return found;
}

function isCurrent({ validFrom, validTo }: X509Certificate): boolean {
  return Date.parse(validFrom) <= Date.now() && Date.now() <= Date.parse(validTo);
}

function isSame(one: X509Certificate, other: X509Certificate): boolean {
  return Buffer.compare(one.raw, other.raw) === 0;
}

function certificateError(text: string): Error {
  return Object.assign(new Error(text), { code: "UNABLE_TO_VERIFY_LEAF_SIGNATURE" });
}
