/** Says of which certificates Deno 2.9 proves the key. It accepts any signature for those that it cannot read. */

import { type DerValue, readDer, readObjectIdentifier, readOneDer } from "./read_der.ts";

const bitString = 0x03;
const octetString = 0x04;
const identifier = 0x06;
const sequence = 0x30;

const certificateTags = [sequence, sequence, bitString];
// Version, serial number, algorithm, issuer, validity, subject, key, extensions. Version 1 has no first and no last one.
const contentTags = [0xa0, 0x02, sequence, sequence, sequence, sequence, sequence, 0xa3];
const keyTags = [sequence, bitString];

// Those that the library reads: keys of others, names, authorities, limits of names, revocation lists, purposes.
const readExtensions = ["2.5.29.17", "2.5.29.19", "2.5.29.30", "2.5.29.31", "2.5.29.37"];

/** Returns `false` for every certificate that the library cannot read, and for some that it can. */
export function isProvenOnDeno(der: Uint8Array): boolean {
  try {
    const [content, , signature] = read(readOneDer(der), certificateTags);
    const [version, , , , , , key, extensions] = read(content!, contentTags);
    const [, keyBits] = read(key!, keyTags);
    const each = readDer(only(extensions!, sequence).content);
    return der.length <= 0xffff && only(version!, 0x02).content.join() === "2" &&
      [signature!, keyBits!].every(({ content: [unusedBits] }) => unusedBits === 0) &&
      each.length > 0 && each.every(isReadable);
  } catch {
    return false;
  }
}

function isReadable(extension: DerValue): boolean {
  const fields = readDer(extension.content);
  const [id, critical] = fields;
  const isCritical = fields.length === 3;
  read(extension, isCritical ? [identifier, 0x01, octetString] : [identifier, octetString]);
  if (isCritical && critical!.content.join() !== "255") return false;
  if (readExtensions.includes(readObjectIdentifier(id!))) only(fields.at(-1)!, sequence);
  return true;
}

function only(value: DerValue, tag: number): DerValue {
  const inside = readOneDer(value.content);
  return inside.tag === tag ? inside : refuse();
}

/** Returns the values inside a sequence, which must have these tags. */
function read({ tag, content }: DerValue, tags: readonly number[]): readonly DerValue[] {
  const values = readDer(content);
  return tag === sequence && values.map((each) => each.tag).join() === tags.join() ? values : refuse();
}

function refuse(): never {
  throw new TypeError("The certificate has another form");
}
