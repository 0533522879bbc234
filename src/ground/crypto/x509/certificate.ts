/** Creates certificate authorities (CA), and certificates for servers on this machine and for clients (RFC 5280). */

import { createPrivateKey, createPublicKey } from "node:crypto";
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
import { type Attribute, type DistinguishedName, formatName, parseName } from "./distinguished_name.ts";
import {
  alternativeNames,
  type ClientNames,
  clientNames,
  nameConstraints,
  type NameLimits,
} from "./general_names.ts";
import { toPem } from "./pem.ts";

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
  readonly validity: Validity;
}

/** In seconds since 1970 by the system clock, because TLS clients compare the dates with their system clock. */
export interface Validity {
  readonly from: number;
  readonly until: number;
}

export interface Authority {
  /** Its certificate in PEM. */
  readonly cert: string;
  readonly party: Party;
  readonly privateKey: CryptoKey;
}

interface Party {
  readonly name: Octets;
  readonly keyId: Octets;
}

interface Contents {
  readonly issuer: Party;
  readonly subject: Party;
  readonly publicKey: Octets;
  readonly validity: Validity;
  readonly extensions: readonly Octets[];
}

const day = 24 * 60 * 60;

const curve = { name: "ECDSA", namedCurve: "P-256" } as const;

/** Creates the certificate of a server, and a CA that can never sign another one, because its key is dropped here. */
export async function createCertificate(
  { hosts, now }: Pick<CertificateTerms, "hosts"> & { readonly now: number },
): Promise<Certificate> {
  const validity = { from: now - day, until: now + 30 * day };
  const authority = await createAuthority({
    name: "Postern test authority (only on this machine)",
    validity,
    keepsKey: false,
  });
  return { ca: authority.cert, ...await issueCertificate(authority, { hosts, validity }) };
}

export interface AuthorityOptions {
  readonly name: string;
  readonly validity: Validity;
  readonly keepsKey: boolean;
  /** With limits, the CA signs only certificates of servers, and only for these names. */
  readonly limits?: NameLimits;
}

export async function createAuthority(
  { name, validity, keepsKey, limits }: AuthorityOptions,
): Promise<Authority> {
  const { publicKey, privateKey } = await generateKeys(keepsKey);
  const party = await createParty(name, publicKey);
  const cert = await signCertificate(privateKey, {
    issuer: party,
    subject: party,
    publicKey: await exportKey("spki", publicKey),
    validity,
    extensions: [
      // CA:TRUE, pathlen 0
      critical("2.5.29.19", sequence(booleanTrue(), integer([0]))),
      // keyCertSign, cRLSign
      critical("2.5.29.15", namedBits(5, 6)),
      subjectKeyIdentifier(party),
      // Name constraints limit the names of servers, but not those of people and programs.
      ...(limits === undefined ? [] : [critical("2.5.29.30", nameConstraints(limits)), forServersOnly()]),
    ],
  });
  return { cert: toPem("CERTIFICATE", cert), party, privateKey };
}

/** Restores a CA from its certificate and its private key in PEM. `name` is the one that it was created with. */
export async function restoreAuthority(
  { name, cert, key }: Omit<Certificate, "ca"> & { readonly name: string },
): Promise<Authority> {
  const toArray = (der: Uint8Array) => new Uint8Array(der);
  const pkcs8 = toArray(createPrivateKey(key).export({ format: "der", type: "pkcs8" }));
  const spki = toArray(createPublicKey(cert).export({ format: "der", type: "spki" }));
  const [privateKey, publicKey] = await Promise.all([
    crypto.subtle.importKey("pkcs8", pkcs8, curve, false, ["sign"]),
    crypto.subtle.importKey("spki", spki, curve, true, ["verify"]),
  ]);
  return { cert, party: await createParty(name, publicKey), privateKey };
}

export async function issueCertificate(
  authority: Authority,
  { hosts, validity }: CertificateTerms,
): Promise<Omit<Certificate, "ca">> {
  const names = alternativeNames(hosts);
  // A common name has at most 64 characters (RFC 5280, Appendix A.1). Clients check the alternative names instead.
  const subject = commonName(hosts[0]!.slice(0, 64));
  return await issueLeaf({ subject, names, validity, purpose: forServersOnly() }, authority);
}

export interface ClientCertificateOptions extends ClientNames {
  /** The name, or its text (RFC 4514). */
  readonly subject: DistinguishedName | string;
  readonly validity: Validity;
}

export interface ClientCertificate extends Omit<Certificate, "ca"> {
  /** The text of the subject (RFC 4514). */
  readonly subject: string;
}

/** Creates the certificate of a client with a new key. Without an authority, the client signs it itself. */
export async function createClientCertificate(
  { subject: given, validity, ...names }: ClientCertificateOptions,
  authority?: Authority,
): Promise<ClientCertificate> {
  const parts = typeof given === "string" ? parseName(given) ?? refuseSubject(given) : given;
  // extendedKeyUsage: clientAuth
  const purpose = extension("2.5.29.37", sequence(objectIdentifier("1.3.6.1.5.5.7.3.2")));
  const leaf = { subject: encodeName(parts), names: clientNames(names), validity, purpose };
  return { ...await issueLeaf(leaf, authority), subject: formatName(parts) };
}

function refuseSubject(text: string): never {
  throw new TypeError(
    `Cannot create a certificate: subject must be a distinguished name (RFC 4514) such as CN=app,O=Example, not ${
      JSON.stringify(text)
    }`,
  );
}

interface Leaf {
  readonly subject: Octets;
  readonly names: Octets | undefined;
  readonly validity: Validity;
  readonly purpose: Octets;
}

/** Creates a certificate that signs no others, with a new key. Without an authority, its own key signs it. */
async function issueLeaf(
  { subject: name, names, validity, purpose }: Leaf,
  authority: Authority | undefined,
): Promise<Omit<Certificate, "ca">> {
  const { publicKey, privateKey } = await generateKeys(true);
  const subject = { name, keyId: await identify(publicKey) };
  const issuer = authority?.party ?? subject;
  const cert = await signCertificate(authority?.privateKey ?? privateKey, {
    issuer,
    subject,
    publicKey: await exportKey("spki", publicKey),
    validity,
    extensions: [
      // An empty sequence means CA:FALSE, which is the default.
      critical("2.5.29.19", sequence()),
      // digitalSignature
      critical("2.5.29.15", namedBits(0)),
      purpose,
      ...(names === undefined ? [] : [extension("2.5.29.17", names)]),
      extension("2.5.29.35", sequence(implicit(0, issuer.keyId))),
      subjectKeyIdentifier(subject),
    ],
  });
  return { cert: toPem("CERTIFICATE", cert), key: await exportPrivateKey(privateKey) };
}

function encodeName(parts: DistinguishedName): Octets {
  const encode = ({ type, value }: Attribute) =>
    sequence(objectIdentifier(type), typeof value === "string" ? utf8String(value) : new Uint8Array(value));
  return sequence(...parts.map((part) => setOf(...part.map(encode))));
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
    sequence(time(validity.from), time(validity.until)),
    subject.name,
    publicKey,
    explicit(3, sequence(...extensions)),
  );
  const signature = new Uint8Array(await crypto.subtle.sign({ ...curve, hash: "SHA-256" }, key, signed));
  // WebCrypto returns r and s in one array, but RFC 3279 §2.2.3 requires a sequence of two integers.
  const numbers = sequence(integer(signature.subarray(0, 32)), integer(signature.subarray(32)));
  return sequence(signed, algorithm, bitString(numbers));
}

/** At most 20 octets (RFC 5280 §4.1.2.2). Random, because the CAs of all mocks have the same name. */
function createSerialNumber(): Octets {
  return crypto.getRandomValues(new Uint8Array(16));
}

async function createParty(name: string, publicKey: CryptoKey): Promise<Party> {
  return { name: commonName(name), keyId: await identify(publicKey) };
}

function commonName(value: string): Octets {
  return encodeName([[{ type: "2.5.4.3", value }]]);
}

function critical(id: string, value: Octets): Octets {
  return sequence(objectIdentifier(id), booleanTrue(), octetString(value));
}

function extension(id: string, value: Octets): Octets {
  return sequence(objectIdentifier(id), octetString(value));
}

function forServersOnly(): Octets {
  // extendedKeyUsage: serverAuth
  return extension("2.5.29.37", sequence(objectIdentifier("1.3.6.1.5.5.7.3.1")));
}

function subjectKeyIdentifier({ keyId }: Party): Octets {
  return extension("2.5.29.14", octetString(keyId));
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

export async function exportPrivateKey(key: CryptoKey): Promise<string> {
  return toPem("PRIVATE KEY", await exportKey("pkcs8", key));
}
