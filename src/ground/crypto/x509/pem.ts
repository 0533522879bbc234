/** Reads and writes PEM, the text form of certificates and keys (RFC 7468). */

import { decodeOctets, encodeOctets } from "../../values/octets.ts";

/** Returns the certificates of a text in DER, in their order. Other blocks, and text around the blocks, are skipped. */
export function readCertificates(text: string): readonly Uint8Array[] {
  const blocks = `${text}`.matchAll(
    /-----BEGIN CERTIFICATE-----([A-Za-z0-9+/=\s]+)-----END CERTIFICATE-----/g,
  );
  return [...blocks].map(([, base64 = ""]) => new Uint8Array(decodeOctets(base64, "base64")));
}

/** RFC 7468 §2 */
export function toPem(label: string, octets: Uint8Array): string {
  const lines = encodeOctets(octets, "base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
