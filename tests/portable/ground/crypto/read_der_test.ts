/** Reading DER, which certificates are written in: lengths, values and times (X.690 §8, §10, RFC 5280 §4.1.2.5). */

import { assertEquals, assertThrows } from "@std/assert";
import { objectIdentifier, sequence, setOf } from "../../../../src/ground/crypto/x509/der.ts";
import { readName } from "../../../../src/ground/crypto/x509/distinguished_name.ts";
import {
  readDer,
  readObjectIdentifier,
  readOneDer,
  readText,
  readTime,
} from "../../../../src/ground/crypto/x509/read_der.ts";
import { test } from "../../../runner.ts";

const malformed = "Cannot read DER: the octets are malformed";

/** The octets of a length, and the length that they are; `undefined`: no DER. */
const lengths: readonly (readonly [octets: readonly number[], length: number | undefined])[] = [
  [[0x00], 0],
  [[0x7f], 0x7f],
  [[0x81, 0x80], 0x80],
  [[0x81, 0xff], 0xff],
  [[0x82, 0x01, 0x00], 0x100],
  [[0x82, 0xff, 0xff], 0xffff],
  [[0x83, 0x01, 0x00, 0x00], 0x10000],
  // Longer than needed.
  [[0x81, 0x00], undefined],
  [[0x81, 0x7f], undefined],
  [[0x82, 0x00, 0x7f], undefined],
  [[0x82, 0x00, 0x80], undefined],
  [[0x82, 0x00, 0xff], undefined],
  [[0x83, 0x00, 0xff, 0xff], undefined],
  [[0x84, 0x00, 0x01, 0x00, 0x00], undefined],
  // Indefinite, and of five octets.
  [[0x80], undefined],
  [[0x85, 0x00, 0x00, 0x00, 0x01, 0x00], undefined],
];

const hex = (octets: readonly number[]) => octets.map((each) => each.toString(16).padStart(2, "0")).join(" ");

for (const [octets, length] of lengths) {
  test(`der: the length ${hex(octets)} is ${length === undefined ? "refused" : `read as ${length}`} (X.690 §10.1)`, () => {
    const read = (rest: number) =>
      readDer(new Uint8Array([0x04, ...octets, ...new Uint8Array(rest)])).map((each) => each.content.length);
    if (length === undefined) {
      // As many octets follow as the length would say.
      const rest = octets.slice(1).reduce((sum, octet) => sum * 256 + octet, 0);
      assertThrows(() => read(rest), TypeError, malformed);
      return;
    }
    assertEquals(read(length), [length]);
    if (length > 0) assertThrows(() => read(length - 1), TypeError, malformed);
  });
}

const utcTime = 0x17;
const generalizedTime = 0x18;

/** `undefined`: no time of a certificate. */
const times: readonly (readonly [tag: number, text: string, time: string | undefined])[] = [
  [utcTime, "000101000000Z", "2000-01-01T00:00:00Z"],
  [utcTime, "491231235959Z", "2049-12-31T23:59:59Z"],
  [utcTime, "500101000000Z", "1950-01-01T00:00:00Z"],
  [utcTime, "690720201740Z", "1969-07-20T20:17:40Z"],
  [utcTime, "700101000000Z", "1970-01-01T00:00:00Z"],
  [utcTime, "991231235959Z", "1999-12-31T23:59:59Z"],
  [generalizedTime, "20500101000000Z", "2050-01-01T00:00:00Z"],
  [generalizedTime, "19691231235959Z", "1969-12-31T23:59:59Z"],
  [generalizedTime, "99991231235959Z", "9999-12-31T23:59:59Z"],
  [generalizedTime, "491231235959Z", undefined],
  [utcTime, "20491231235959Z", undefined],
  [utcTime, "4912312359Z", undefined],
  [utcTime, "491231235959+0000", undefined],
  [generalizedTime, "20500101000000.5Z", undefined],
  [utcTime, "491331000000Z", undefined],
  [utcTime, "490101250000Z", undefined],
];

for (const [tag, text, time] of times) {
  const kind = tag === utcTime ? "UTCTime" : "GeneralizedTime";
  test(`der: the ${kind} ${text} is ${time ?? "refused"} (RFC 5280 §4.1.2.5)`, () => {
    const content = new TextEncoder().encode(text);
    const [value] = readDer(new Uint8Array([tag, content.length, ...content]));
    if (time === undefined) assertThrows(() => readTime(value!), TypeError, malformed);
    else assertEquals(readTime(value!), Date.parse(time) / 1000);
  });
}

test("der: a name with an attribute that has no value is refused (RFC 5280 §4.1.2.4)", () => {
  const name = readOneDer(sequence(setOf(sequence(objectIdentifier("2.5.4.3")))));
  assertThrows(() => readName(name), TypeError, malformed);
});

const ids = [
  "0.9.2342.19200300.100.1.25",
  "1.2.840.113549.1.1.11",
  "1.39.1",
  "2.5.29.19",
  "2.40.1",
  "2.999.3",
];
for (const id of ids) {
  test(`der: the object identifier ${id} is read as it is written (X.690 §8.19)`, () => {
    const [value] = readDer(objectIdentifier(id));
    assertEquals(readObjectIdentifier(value!), id);
  });
}

/** `undefined`: no text. */
const texts: readonly (readonly [kind: string, octets: readonly number[], text: string | undefined])[] = [
  ["UTF8String", [0x0c, 2, 0xc3, 0xa9], "é"],
  ["NumericString", [0x12, 2, 0x31, 0x32], "12"],
  ["PrintableString", [0x13, 1, 0x61], "a"],
  ["TeletexString", [0x14, 1, 0xe9], "é"],
  ["IA5String", [0x16, 1, 0x40], "@"],
  ["VisibleString", [0x1a, 1, 0x61], "a"],
  ["BMPString", [0x1e, 2, 0x26, 0x3a], "☺"],
  ["BMPString of two surrogates", [0x1e, 4, 0xd8, 0x3d, 0xde, 0x00], "😀"],
  ["UniversalString", [0x1c, 4, 0x00, 0x01, 0xf6, 0x00], "😀"],
  ["OCTET STRING", [0x04, 1, 0x61], undefined],
];

for (const [kind, octets, text] of texts) {
  test(`der: ${kind} ${text === undefined ? "has no text" : `has the text ${text}`} (RFC 5280, appendix A.1)`, () => {
    const [value] = readDer(new Uint8Array(octets));
    assertEquals(readText(value!), text);
  });
}

test("der: a UniversalString with a code point above 10FFFF is malformed (ISO/IEC 10646)", () => {
  const [value] = readDer(new Uint8Array([0x1c, 4, 0x00, 0x11, 0x00, 0x00]));
  assertThrows(() => readText(value!), TypeError, malformed);
});
