/** Creates a certificate authority (CA) and a certificate for a server on this machine (RFC 5280). */

import { Buffer } from "node:buffer";
import { isIPv4, isIPv6 } from "node:net";
import {
  bitString,
  booleanTrue,
  explicit,
  implicit,
  integer,
  namedBits,
  objectIdentifier,
  type Octets,
  octetString,
  sequence,
  setOf,
  time,
  utf8String,
} from "./der.ts";

export interface Certificate {
  /** The CA certificate in PEM, which clients must trust. */
  readonly ca: string;
  /** The server's certificate in PEM. It needs no chain, because the root CA signs it directly. */
  readonly cert: string;
  /** The private key of the server's certificate in PEM (PKCS #8). */
  readonly key: string;
}

export interface CertificateTerms {
  /** Names and IP addresses, without brackets: `localhost`, `127.0.0.1`, `::1`. */
  readonly hosts: readonly string[];
  /** Seconds since 1970 by the system clock, because TLS clients compare the dates with their system clock. */
  readonly now: number;
}

/** The issuer or the subject of a certificate: the CA or the server. */
interface Party {
  readonly name: Octets;
  readonly keyId: Octets;
}

interface Contents {
  readonly issuer: Party;
  readonly subject: Party;
  readonly publicKey: Octets;
  readonly validity: Octets;
  readonly extensions: readonly Octets[];
}

const day = 24 * 60 * 60;

const curve = { name: "ECDSA", namedCurve: "P-256" } as const;

export async function createCertificate({ hosts, now }: CertificateTerms): Promise<Certificate> {
  const names = alternativeNames(hosts);
  // The CA's private key is not extractable and is dropped after this call, so the CA can never sign another
  // certificate.
  const [caKeys, serverKeys] = await Promise.all([generateKeys(false), generateKeys(true)]);
  const caParty: Party = {
    name: commonName("Postern test authority (only on this machine)"),
    keyId: await identify(caKeys.publicKey),
  };
  const serverParty: Party = {
    // A common name has at most 64 characters (RFC 5280, Appendix A.1). Clients check the alternative names instead.
    name: commonName(hosts[0]!.slice(0, 64)),
    keyId: await identify(serverKeys.publicKey),
  };
  const validity = sequence(time(now - day), time(now + 30 * day));

  const ca = await signCertificate(caKeys.privateKey, {
    issuer: caParty,
    subject: caParty,
    publicKey: await exportKey("spki", caKeys.publicKey),
    validity,
    extensions: [
      // CA:TRUE, pathlen 0
      critical("2.5.29.19", sequence(booleanTrue(), integer([0]))),
      // keyCertSign, cRLSign
      critical("2.5.29.15", namedBits(5, 6)),
      subjectKeyIdentifier(caParty),
    ],
  });
  const cert = await signCertificate(caKeys.privateKey, {
    issuer: caParty,
    subject: serverParty,
    publicKey: await exportKey("spki", serverKeys.publicKey),
    validity,
    extensions: [
      // An empty sequence means CA:FALSE, which is the default.
      critical("2.5.29.19", sequence()),
      // digitalSignature
      critical("2.5.29.15", namedBits(0)),
      // serverAuth
      extension("2.5.29.37", sequence(objectIdentifier("1.3.6.1.5.5.7.3.1"))),
      extension("2.5.29.17", names),
      extension("2.5.29.35", sequence(implicit(0, caParty.keyId))),
      subjectKeyIdentifier(serverParty),
    ],
  });
  return {
    ca: toPem("CERTIFICATE", ca),
    cert: toPem("CERTIFICATE", cert),
    key: toPem("PRIVATE KEY", await exportKey("pkcs8", serverKeys.privateKey)),
  };
}

/** RFC 5280 §4.1 */
async function signCertificate(key: CryptoKey, contents: Contents): Promise<Octets> {
  const { issuer, subject, publicKey, validity, extensions } = contents;
  // ecdsa-with-SHA256 (RFC 5758 §3.2)
  const algorithm = sequence(objectIdentifier("1.2.840.10045.4.3.2"));
  const signed = sequence(
    // v3
    explicit(0, integer([2])),
    integer(createSerialNumber()),
    algorithm,
    issuer.name,
    validity,
    subject.name,
    publicKey,
    explicit(3, sequence(...extensions)),
  );
  const signature = new Uint8Array(await crypto.subtle.sign({ ...curve, hash: "SHA-256" }, key, signed));
  // WebCrypto returns r and s in one array, but RFC 3279 §2.2.3 requires a sequence of two integers.
  const numbers = sequence(integer(signature.subarray(0, 32)), integer(signature.subarray(32)));
  return sequence(signed, algorithm, bitString(numbers));
}

/**
 * A serial number is positive and has at most 20 octets (RFC 5280 §4.1.2.2). It is random, because clients identify a
 * certificate by its issuer and serial number, and the CAs of all mocks have the same name.
 */
function createSerialNumber(): Octets {
  return crypto.getRandomValues(new Uint8Array(16));
}

function commonName(text: string): Octets {
  return sequence(setOf(sequence(objectIdentifier("2.5.4.3"), utf8String(text))));
}

function critical(id: string, value: Octets): Octets {
  return sequence(objectIdentifier(id), booleanTrue(), octetString(value));
}

function extension(id: string, value: Octets): Octets {
  return sequence(objectIdentifier(id), octetString(value));
}

function subjectKeyIdentifier({ keyId }: Party): Octets {
  return extension("2.5.29.14", octetString(keyId));
}

/** RFC 5280 §4.2.1.6 */
function alternativeNames(hosts: readonly string[]): Octets {
  if (hosts.length === 0) {
    throw new TypeError('Cannot create a certificate without a host: name one, such as "localhost"');
  }
  return sequence(...hosts.map(alternativeName));
}

function alternativeName(host: string): Octets {
  if (isIPv4(host)) return implicit(7, host.split(".").map(Number));
  const url = `http://[${host}]`;
  // node:net accepts an address with a zone (fe80::1%eth0), but a certificate cannot contain a zone.
  if (isIPv6(host) && URL.canParse(url)) return implicit(7, ipv6Octets(new URL(url).hostname.slice(1, -1)));
  // Refuses a name whose last label is a number, because the name is probably a mistyped IP address.
  if (/^(?:[\w-]{1,63}\.)*(?!\d+$)[\w-]{1,63}$/.test(host)) {
    return implicit(2, new TextEncoder().encode(host));
  }
  throw new TypeError(
    `Cannot create a certificate for ${JSON.stringify(host)}: expected a host name in ASCII, such as ` +
      '"localhost", or an IP address, such as "127.0.0.1" or "::1", without scheme, port and brackets',
  );
}

/** Parses the normal form of an IPv6 address (RFC 5952), which `URL` returns. */
function ipv6Octets(address: string): readonly number[] {
  const [before = [], after = []] = address.split("::").map((part) => part.split(":").filter(Boolean));
  const zeros = new Array<string>(8 - before.length - after.length).fill("0");
  return [...before, ...zeros, ...after].map((group) => parseInt(group, 16))
    .flatMap((group) => [group >> 8, group & 0xff]);
}

function generateKeys(extractable: boolean): Promise<CryptoKeyPair> {
  return crypto.subtle.generateKey(curve, extractable, ["sign", "verify"]);
}

/** Computes the key identifier: the first 160 bits of the hash of the key (RFC 7093 §2, method 1). */
async function identify(publicKey: CryptoKey): Promise<Octets> {
  const digest = await crypto.subtle.digest("SHA-256", await exportKey("raw", publicKey));
  return new Uint8Array(digest, 0, 20);
}

async function exportKey(format: "raw" | "spki" | "pkcs8", key: CryptoKey): Promise<Octets> {
  return new Uint8Array(await crypto.subtle.exportKey(format, key));
}

/** RFC 7468 §2 */
function toPem(label: string, octets: Octets): string {
  const lines = Buffer.from(octets).toString("base64").match(/.{1,64}/g) ?? [];
  return [`-----BEGIN ${label}-----`, ...lines, `-----END ${label}-----`, ""].join("\n");
}
