/** Reads what a certificate says (RFC 5280 §4.1, §4.2). X509Certificate only has it as text that is ambiguous. */

import type { X509Certificate } from "node:crypto";
import { type DerValue, readDer, readObjectIdentifier, readOneDer, readTime } from "./read_der.ts";
import { type DistinguishedName, readName } from "./distinguished_name.ts";

export interface CertificateContents {
  readonly subject: DistinguishedName;
  readonly alternativeNames: AlternativeNames;
  /** In seconds since 1970. */
  readonly validFrom: number;
  readonly validTo: number;
  /** Whether the certificate may sign others, and how many of those may follow it (RFC 5280 §4.2.1.9). */
  readonly authority: { readonly isAuthority: boolean; readonly pathLength: number };
  /** Whether the key may sign other things than certificates, such as a handshake (RFC 5280 §4.2.1.3). */
  readonly maySign: boolean;
  /** What the key may be used for (RFC 5280 §4.2.1.12). `undefined`: anything. */
  readonly purposes: readonly string[] | undefined;
  /** The extensions for which the certificate must be refused, because this server does not process them. */
  readonly unprocessedExtensions: readonly string[];
}

/** The alternative names of a subject (RFC 5280 §4.2.1.6). */
export interface AlternativeNames {
  readonly email: readonly string[];
  readonly dns: readonly string[];
  readonly uri: readonly string[];
  readonly ip: readonly Uint8Array[];
}

interface Extension {
  readonly id: string;
  readonly isCritical: boolean;
  readonly value: Uint8Array;
}

const ids = {
  alternativeNames: "2.5.29.17",
  basicConstraints: "2.5.29.19",
  keyUsage: "2.5.29.15",
  purposes: "2.5.29.37",
};

// RFC 5280 §6.1.4 (g): the limits count, whether the extension is critical or not.
const nameConstraints = "2.5.29.30";

/** Throws a `TypeError` if the octets are not a certificate. */
export function readCertificate(der: Uint8Array): CertificateContents {
  const [signed] = readDer(readOneDer(der).content);
  const fields = readDer(signed?.content ?? new Uint8Array());
  // The version is `[0] EXPLICIT`, and absent in version 1.
  const [, , , validity, subject, , ...rest] = fields[0]?.tag === 0xa0 ? fields.slice(1) : fields;
  if (validity === undefined || subject === undefined) throw new TypeError("The certificate is incomplete");
  const [from, to] = readDer(validity.content, 2);
  const extensions = readExtensions(rest.find(({ tag }) => tag === 0xa3));
  const find = (id: string) => extensions.find((each) => each.id === id)?.value;
  const [keyUsage, purposes] = [find(ids.keyUsage), find(ids.purposes)];
  return {
    subject: readName(subject),
    alternativeNames: readAlternativeNames(find(ids.alternativeNames)),
    validFrom: readTime(from!),
    validTo: readTime(to!),
    authority: readAuthority(find(ids.basicConstraints), keyUsage),
    maySign: allows(keyUsage, digitalSignature),
    purposes: purposes && readDer(readOneDer(purposes).content).map(readObjectIdentifier),
    unprocessedExtensions: extensions.filter(mustBeProcessed).map(({ id }) => id),
  };
}

/** What the key of a certificate may be used for (RFC 5280 §4.2.1.12). */
const purposeIds = {
  servers: "1.3.6.1.5.5.7.3.1",
  clients: "1.3.6.1.5.5.7.3.2",
} as const;

const anyPurpose = "2.5.29.37.0";

export function isFor(
  purpose: keyof typeof purposeIds,
  { purposes }: Pick<CertificateContents, "purposes">,
): boolean {
  return purposes?.some((each) => each === purposeIds[purpose] || each === anyPurpose) ?? true;
}

/** Whether the certificate names the issuer, and the issuer has signed it (RFC 5280 §6.1.3). */
export function isIssuedBy(certificate: X509Certificate, issuer: X509Certificate): boolean {
  return certificate.checkIssued(issuer) && certificate.verify(issuer.publicKey);
}

/** RFC 5280 §4.2: each critical extension must be. */
function mustBeProcessed({ id, isCritical }: Extension): boolean {
  return id === nameConstraints || isCritical && !Object.values(ids).includes(id);
}

function readExtensions(field: DerValue | undefined): readonly Extension[] {
  if (field === undefined) return [];
  return readDer(readOneDer(field.content).content).map(({ content }) => {
    const [id, ...rest] = readDer(content, 2);
    return {
      id: readObjectIdentifier(id!),
      isCritical: rest.length > 1 && rest[0]!.content[0] !== 0,
      value: rest.at(-1)!.content,
    };
  });
}

// The bits 0 and 5 of keyUsage (RFC 5280 §4.2.1.3).
const digitalSignature = 0x80;
const keyCertSign = 0x04;

/** Whether keyUsage has the bit. The octet of the bits follows the number of unused bits. Without keyUsage, all is allowed. */
function allows(keyUsage: Uint8Array | undefined, bit: number): boolean {
  return keyUsage === undefined || (readOneDer(keyUsage).content[1]! & bit) !== 0;
}

function readAuthority(
  basicConstraints: Uint8Array | undefined,
  keyUsage: Uint8Array | undefined,
): CertificateContents["authority"] {
  const [isAuthority, pathLength] = basicConstraints === undefined
    ? []
    : readDer(readOneDer(basicConstraints).content);
  return {
    isAuthority: isAuthority?.tag === 0x01 && isAuthority.content[0] !== 0 && allows(keyUsage, keyCertSign),
    pathLength: pathLength === undefined
      ? Infinity
      : pathLength.content.reduce((sum, octet) => sum * 256 + octet, 0),
  };
}

function readAlternativeNames(value: Uint8Array | undefined): AlternativeNames {
  const names = value === undefined ? [] : readDer(readOneDer(value).content);
  const of = (tag: number) => names.filter((each) => each.tag === tag).map(({ content }) => content);
  const texts = (tag: number) => of(tag).map((octets) => new TextDecoder().decode(octets));
  return { email: texts(0x81), dns: texts(0x82), uri: texts(0x86), ip: of(0x87) };
}
