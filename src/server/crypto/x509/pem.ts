/** Reads and writes PEM, the text form of certificates and keys (RFC 7468). */

import { Buffer } from "node:buffer";
import { X509Certificate } from "node:crypto";

/** Returns the certificates of a text in DER, in their order. Other blocks, and text around the blocks, are skipped. */
export function readCertificates(text: string): readonly Uint8Array[] {
  const blocks = `${text}`.matchAll(
    /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g,
  );
  return [...blocks].map(([, base64 = ""]) => new Uint8Array(Buffer.from(base64, "base64")));
}

/** As PEM, because Node looks for PEM in DER: a certificate could hide another one in an extension. */
export function parseCertificate(der: Uint8Array): X509Certificate {
  return new X509Certificate(toPem("CERTIFICATE", der));
}

/** RFC 7468 §2 */
export function toPem(label: string, octets: Uint8Array): string {
  const lines = Buffer.from(octets).toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
