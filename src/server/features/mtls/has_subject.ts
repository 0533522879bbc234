/** Compares the subject of a certificate with the one that a client has registered (RFC 8705 §2.1.2). */

import { normaliseEscape } from "../../../ground/http/address.ts";
import { compareOctets } from "../../../ground/values/octets.ts";
import { formatIp, ipOctets } from "../../../ground/values/ip_address.ts";
import type { CertificateContents } from "../../../ground/crypto/x509/certificate_contents.ts";
import { formatName, isSameName, parseName } from "../../../ground/crypto/x509/distinguished_name.ts";
import type { findSubject } from "./subject_members.ts";

export type RegisteredSubject = NonNullable<ReturnType<typeof findSubject>>;

export function hasSubject(
  { subject, alternativeNames: { dns, email, ip, uri } }: CertificateContents,
  { kind, value }: RegisteredSubject,
): boolean {
  switch (kind) {
    case "subject_dn": {
      const name = parseName(value);
      return name !== undefined && isSameName(name, subject);
    }
    case "san_dns":
      // RFC 5280 §7.2. A name with * is only itself.
      return dns.some((each) => each.toLowerCase() === value.toLowerCase());
    case "san_uri":
      return uri.some((each) => normaliseUri(each) === normaliseUri(value));
    case "san_ip": {
      const octets = Uint8Array.from(ipOctets(value) ?? []);
      return ip.some((each) => compareOctets(each, octets) === 0);
    }
    case "san_email":
      return email.some((each) => normaliseEmail(each) === normaliseEmail(value));
  }
}

const schemeAndHost = /^[a-z][a-z\d+.-]*:(?:\/\/[^/?#@]+(?=[/?#]|$))?/i;

/** RFC 5280 §7.4: only the scheme and the host are compared without regard to case. */
function normaliseUri(text: string): string {
  const uri = text
    .replace(schemeAndHost, (found) => found.toLowerCase())
    .replace(/%[\da-f]{2}/gi, normaliseEscape);
  // A parser of URLs removes dots from the path, and the usual port. Other texts stay, because it would repair them.
  const [, host] = /^(?:https?|ftp|ldap):\/\/([\w.-]+)(?::\d+)?(?:[/?#][!#-&(-;=?-[\]_a-z~]*)?$/.exec(uri) ??
    [];
  if (!URL.canParse(uri)) return uri;
  const url = new URL(uri);
  return url.hostname === host ? url.href : uri;
}

/** RFC 5280 §7.5: only the part after the @ is compared without regard to case. */
function normaliseEmail(address: string): string {
  const at = address.lastIndexOf("@");
  return address.slice(0, at) + address.slice(at).toLowerCase();
}

export function describeSubject(
  { subject, alternativeNames: { dns, email, ip, uri } }: CertificateContents,
  { kind }: RegisteredSubject,
): string {
  const found: Readonly<Record<RegisteredSubject["kind"], readonly string[]>> = {
    subject_dn: [formatName(subject)],
    san_dns: dns,
    san_uri: uri,
    san_ip: ip.map((octets) => formatIp(octets) ?? `an address of ${octets.length} octets`),
    san_email: email,
  };
  return found[kind].join(", ") || `a certificate without ${kind}`;
}
