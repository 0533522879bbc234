/** The name of a subject as a certificate has it, its text, and whether two names are the same. */

import { Buffer } from "node:buffer";
import { type Attribute, type DistinguishedName, typesByName } from "./distinguished_name.ts";
import { type DerValue, readDer, readObjectIdentifier, readOneDer, readText } from "./read_der.ts";

/** RFC 5280 §4.1.2.4. */
export function readName({ content }: DerValue): DistinguishedName {
  return readDer(content).map((part) =>
    readDer(part.content).map((attribute) => {
      const [type, value] = readDer(attribute.content);
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
  try {
    return readText(readOneDer(der));
  } catch {
    return undefined;
  }
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
  return `#${Buffer.from(der).toString("hex")}`;
}
