/** Creates certificate authorities (CA), and certificates for servers on this machine and for clients (RFC 5280). */

import { createPrivateKey, createPublicKey } from "node:crypto";
import { booleanTrue, implicit, integer, namedBits, objectIdentifier, type Octets, sequence } from "./der.ts";
import { type DistinguishedName, formatName, parseName } from "./distinguished_name.ts";
import {
  alternativeNames,
  type ClientNames,
  clientNames,
  nameConstraints,
  type NameLimits,
} from "./general_names.ts";
import { toPem } from "./pem.ts";
import {
  commonName,
  critical,
  curve,
  encodeName,
  extension,
  type Party,
  signCertificate,
  subjectKeyIdentifier,
  type Validity,
} from "./sign_certificate.ts";

export type { Validity } from "./sign_certificate.ts";

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

export interface Authority {
  /** Its certificate in PEM. */
  readonly cert: string;
  readonly party: Party;
  readonly privateKey: CryptoKey;
}

const day = 24 * 60 * 60;

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

async function createParty(name: string, publicKey: CryptoKey): Promise<Party> {
  return { name: commonName(name), keyId: await identify(publicKey) };
}

function forServersOnly(): Octets {
  // extendedKeyUsage: serverAuth
  return extension("2.5.29.37", sequence(objectIdentifier("1.3.6.1.5.5.7.3.1")));
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
