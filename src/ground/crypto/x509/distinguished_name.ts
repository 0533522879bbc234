/** The name of a subject: as text (RFC 4514), as a certificate has it, and whether two names are the same. */

import { attempt } from "../../values/attempt.ts";
import { decodeOctets, encodeOctets, joinOctets, readUtf8, utf8Of } from "../../values/octets.ts";
import { type DerValue, readDer, readObjectIdentifier, readOneDer, readText } from "./read_der.ts";

/** The parts in the order of the certificate. A part has one attribute, or several without an order. */
export type DistinguishedName = readonly (readonly Attribute[])[];

export interface Attribute {
  /** The type, as an object identifier in dots. */
  readonly type: string;
  /** The text, or the DER of the value. */
  readonly value: string | Uint8Array;
}

/** The names of types: those of RFC 4514 §3, and those that tools write for others. */
const typesByName: ReadonlyMap<string, string> = new Map(Object.entries({
  cn: "2.5.4.3",
  l: "2.5.4.7",
  st: "2.5.4.8",
  o: "2.5.4.10",
  ou: "2.5.4.11",
  c: "2.5.4.6",
  street: "2.5.4.9",
  dc: "0.9.2342.19200300.100.1.25",
  uid: "0.9.2342.19200300.100.1.1",
  userid: "0.9.2342.19200300.100.1.1",
  sn: "2.5.4.4",
  surname: "2.5.4.4",
  gn: "2.5.4.42",
  givenname: "2.5.4.42",
  title: "2.5.4.12",
  description: "2.5.4.13",
  serialnumber: "2.5.4.5",
  initials: "2.5.4.43",
  generationqualifier: "2.5.4.44",
  dnqualifier: "2.5.4.46",
  pseudonym: "2.5.4.65",
  businesscategory: "2.5.4.15",
  postalcode: "2.5.4.17",
  organizationidentifier: "2.5.4.97",
  emailaddress: "1.2.840.113549.1.9.1",
  email: "1.2.840.113549.1.9.1",
  e: "1.2.840.113549.1.9.1",
  jurisdictionl: "1.3.6.1.4.1.311.60.2.1.1",
  jurisdictionst: "1.3.6.1.4.1.311.60.2.1.2",
  jurisdictionc: "1.3.6.1.4.1.311.60.2.1.3",
}));

const type = /[ ]*([A-Za-z][A-Za-z\d-]*|(?:OID\.)?\d+(?:\.\d+)+)[ ]*=[ ]*/y;
// DER has a tag and a length.
const hexValue = /#((?:[\dA-Fa-f]{2}){2,})[ ]*/y;
const value = /((?!#)(?:\\[\dA-Fa-f]{2}|\\[ "#+,;<=>\\]|[^\\"+,;<>])*)/y;

/** Parses the text form (RFC 4514 §3). Returns `undefined` if it is malformed, or has a type without a known name. */
export function parseName(text: string): DistinguishedName | undefined {
  const parts: Attribute[][] = [[]];
  for (let at = 0;;) {
    const name = take(type, text, at);
    if (name === undefined) return undefined;
    const identifier = identify(name.found);
    at = name.end;
    const hex = take(hexValue, text, at);
    const plain = hex ?? take(value, text, at);
    if (identifier === undefined || plain === undefined) return undefined;
    const read = hex === undefined ? unescape(plain.found) : decodeOctets(hex.found, "hex");
    parts.at(-1)!.push({ type: identifier, value: read });
    at = plain.end;
    // RFC 4514 §2.1: the text begins with the last part.
    if (at === text.length) return parts.toReversed();
    if (text[at] === ",") parts.push([]);
    else if (text[at] !== "+") return undefined;
    at++;
  }
}

function take(
  pattern: RegExp,
  text: string,
  at: number,
): { readonly found: string; readonly end: number } | undefined {
  pattern.lastIndex = at;
  const match = pattern.exec(text);
  return match === null ? undefined : { found: match[1]!, end: at + match[0].length };
}

function identify(name: string): string | undefined {
  const numbers = name.replace(/^OID\./i, "");
  return /^\d/.test(numbers) ? numbers : typesByName.get(name.toLowerCase());
}

/** RFC 4514 §2.4: the hexadecimal pairs are octets of UTF-8. */
function unescape(written: string): string {
  let end = written.length;
  // A pattern for these spaces would take quadratic time.
  while (written[end - 1] === " " && written[end - 2] !== "\\") end--;
  const octets = [...written.slice(0, end).matchAll(/\\([\dA-Fa-f]{2})|\\(.)|([^\\]+)/gs)].map((
    [, hex, escaped, plain],
  ) => hex === undefined ? utf8Of(escaped ?? plain!) : decodeOctets(hex, "hex"));
  return readUtf8(joinOctets(octets));
}

/** RFC 5280 §4.1.2.4. */
export function readName({ content }: DerValue): DistinguishedName {
  return readDer(content).map((part) =>
    readDer(part.content).map((attribute) => {
      const [type, value] = readDer(attribute.content, 2);
      return { type: readObjectIdentifier(type!), value: readText(value!) ?? value!.whole };
    })
  );
}

/** Compares names without regard to case and to the number of spaces (RFC 5280 §7.1, RFC 4518 §2). */
export function isSameName(left: DistinguishedName, right: DistinguishedName): boolean {
  return JSON.stringify(left.map(normalisePart)) === JSON.stringify(right.map(normalisePart));
}

function normalisePart(part: readonly Attribute[]): readonly string[] {
  return part.map(normaliseAttribute).sort();
}

function normaliseAttribute({ type, value }: Attribute): string {
  const text = typeof value === "string" ? value : readDerText(value);
  return text === undefined ? type + asHex(value as Uint8Array) : `${type}=${normalise(text)}`;
}

/** Returns `undefined` for a value that is no text, and for malformed DER. */
function readDerText(der: Uint8Array): string | undefined {
  return attempt(() => readText(readOneDer(der)));
}

function normalise(text: string): string {
  return text.normalize("NFKC").toLowerCase().normalize("NFKC").trim().replace(/\s+/g, " ");
}

/** Writes the name as text (RFC 4514 §2). */
export function formatName(name: DistinguishedName): string {
  return name.toReversed().map((part) => part.map(formatAttribute).join("+")).join(",");
}

function formatAttribute({ type, value }: Attribute): string {
  return `${nameOf(type)}=${typeof value === "string" ? escape(value) : asHex(value)}`;
}

function nameOf(identifier: string): string {
  const [found] = [...typesByName].find(([, each]) => each === identifier) ?? [];
  return found?.toUpperCase() ?? identifier;
}

/** RFC 4514 §2.4. */
function escape(text: string): string {
  return text.replace(/^[ #]| $|[",+;<>\\]/g, "\\$&").replaceAll("\0", "\\00");
}

function asHex(der: Uint8Array): string {
  return `#${encodeOctets(der, "hex")}`;
}
