/** The names of certificates: RFC 4514 as text, RFC 5280 as DER, and their comparison (RFC 8705 §2.1.2). */

import { assert, assertEquals } from "@std/assert";
import { createClientCertificate } from "../../../../src/ground/crypto/x509/certificate.ts";
import { readCertificates } from "../../../../src/ground/crypto/x509/pem.ts";
import {
  type CertificateContents,
  readCertificate,
} from "../../../../src/ground/crypto/x509/certificate_contents.ts";
import { formatName, isSameName, parseName } from "../../../../src/ground/crypto/x509/distinguished_name.ts";
import { hasSubject, type RegisteredSubject } from "../../../../src/server/features/mtls/has_subject.ts";
import { measureEffort } from "../../../effort.ts";
import { test } from "../../../runner.ts";
import { leaf, plain, root } from "../../../ground/crypto/openssl_certificates.ts";

const validity = { from: 1_700_000_000, until: 2_600_000_000 };
const read = (pem: string) => readCertificate(readCertificates(pem)[0]!);

test("names: the subject of a certificate has a text (RFC 4514 §2)", () => {
  assertEquals(formatName(read(root).subject), "CN=Root,O=Example Trust,C=DE");
  assertEquals(formatName(read(leaf).subject), 'CN=app é,OU=a+UID=7,O=Pipe\\, Inc. \\"A\\",C=DE');
  assertEquals(formatName(read(plain).subject), "CN=old,EMAILADDRESS=a@b.example,DC=net,DC=example");
});

const same: readonly (readonly [left: string, right: string, rule: string])[] = [
  ["CN=app,O=Example", "cn=APP,o=example", "case does not count (RFC 5280 §7.1)"],
  ["CN=app,O=Example", "2.5.4.3=app,2.5.4.10=Example", "a type may be an identifier (RFC 4514 §2.3)"],
  ["dnQualifier=7,initials=A", "2.5.4.46=7,2.5.4.43=A", "types of certificates (RFC 5280 §4.1.2.4)"],
  [
    "generationQualifier=3rd,pseudonym=a",
    "2.5.4.44=3rd,2.5.4.65=a",
    "types of certificates (RFC 5280 §4.1.2.4)",
  ],
  ["CN=app,O=Example", "OID.2.5.4.3=app, O = Example", "older writers (RFC 2253 §4)"],
  [String.raw`O=Pipe\, Inc.`, String.raw`O=Pipe\2C Inc.`, "hexadecimal escapes (RFC 4514 §2.4)"],
  ["CN=é", String.raw`CN=\C3\A9`, "escaped octets are UTF-8 (RFC 4514 §2.4)"],
  ["CN=app", "CN=#0C03617070", "a value in DER (RFC 4514 §2.4)"],
  ["OU=a+UID=7,C=DE", "UID=7+OU=a,C=DE", "a part has no order (RFC 4514 §2.2)"],
  ["CN=a  b", "CN= a b ", "spaces (RFC 4518 §2.6.1)"],
  [String.raw`CN=\ a\ `, "CN=a", "spaces at the ends (RFC 4518 §2.6.1)"],
  ["CN=#0402AB61", "CN=#0402ab61", "octets in hexadecimal (RFC 4514 §2.4)"],
  ["CN=ﬁn", "CN=fin", "compatible characters (RFC 4518 §2.3)"],
];

for (const [left, right, rule] of same) {
  test(`names: ${left} is ${right}: ${rule}`, () => {
    assertEquals(isSameName(parseName(left)!, parseName(right)!), true);
  });
}

test("names: many spaces take linear time (RFC 4514 §3)", async () => {
  const name = `CN=a${" ".repeat(64_000)}b`;
  const effort = await measureEffort(() => Promise.resolve(assertEquals(parseName(name)!.length, 1)));
  assert(effort < 20, `${effort}`);
});

const different: readonly (readonly [left: string, right: string, rule: string])[] = [
  ["CN=app,O=Example", "O=Example,CN=app", "the order of the parts counts (RFC 5280 §7.1)"],
  ["CN=app,O=Example", "CN=app", "each part counts (RFC 5280 §7.1)"],
  ["CN=a+O=b", "CN=a,O=b", "one part is not two"],
  ["CN=a+O=b", String.raw`CN=a\+O\=b`, "an escaped plus is a part of the value (RFC 4514 §2.4)"],
  ["CN=app", "OU=app", "the type counts"],
  [String.raw`CN=a\,O\=b`, "CN=a,O=b", "an escaped comma is a part of the value (RFC 4514 §2.4)"],
  ["CN=ab", "CN=a b", "a space inside counts"],
  ["CN=#040161", String.raw`CN=\#040161`, "octets are no text (RFC 4514 §2.4)"],
  ["CN=#040161", "CN=#040162", "octets count"],
];

for (const [left, right, rule] of different) {
  test(`names: ${left} is not ${right}: ${rule}`, () => {
    assertEquals(isSameName(parseName(left)!, parseName(right)!), false);
  });
}

const rows = [
  "",
  "CN",
  "CN=a,",
  "CN=a;O=b",
  "NOSUCHTYPE=a",
  "constructor=a",
  'CN="a"',
  String.raw`CN=a\x`,
  "CN=#0",
];
for (const text of rows) {
  test(`names: ${JSON.stringify(text)} is malformed (RFC 4514 §3)`, () => {
    assertEquals(parseName(text), undefined);
  });
}

const found:
  readonly (readonly [RegisteredSubject["kind"], value: string, isFound: boolean, rule: string])[] = [
    ["subject_dn", 'CN=App É,UID=7+OU=A,O=pipe\\, inc. \\"a\\",C=de', true, "RFC 5280 §7.1"],
    ["subject_dn", "CN=app é", false, "RFC 5280 §7.1"],
    ["san_dns", "app.EXAMPLE", true, "RFC 5280 §7.2"],
    ["san_dns", "other.app.example", false, "RFC 5280 §7.2"],
    ["san_uri", "https://app.example/A", true, "RFC 5280 §7.4"],
    ["san_uri", "https://app.example/a", false, "RFC 5280 §7.4"],
    ["san_uri", "HTTPS://App.EXAMPLE/A", true, "RFC 5280 §7.4, step 2"],
    ["san_uri", "https://app.example/%41", true, "RFC 5280 §7.4, step 3"],
    ["san_uri", "https://app.example/%2541", false, "RFC 5280 §7.4, step 3"],
    ["san_uri", "https://app.example/b/../A", true, "RFC 5280 §7.4, step 4"],
    ["san_uri", "https://app.example:443/A", true, "RFC 5280 §7.4, step 5"],
    ["san_uri", "https://app.example:8443/A", false, "RFC 5280 §7.4, step 5"],
    ["san_uri", "https://app.example:65536/A", false, "RFC 5280 §7.4, step 5"],
    ["san_uri", "https:\\\\app.example/A", false, "RFC 3986 §2"],
    ["san_uri", "https:///app.example/A", false, "RFC 3986 §3.2"],
    ["san_uri", "https://a@app.example/A", false, "RFC 3986 §3.2.1"],
    ["san_ip", "192.0.2.7", true, "RFC 5280 §4.2.1.6"],
    ["san_ip", "192.0.2.8", false, "RFC 5280 §4.2.1.6"],
    ["san_ip", "2001:DB8:0:0:0:0:0:7", true, "RFC 4291 §2.2"],
    ["san_ip", "::ffff:192.0.2.7", false, "RFC 4291 §2.2"],
    ["san_email", "Ops@app.EXAMPLE", true, "RFC 5280 §7.5"],
    ["san_email", "ops@app.example", false, "RFC 5280 §7.5"],
  ];

for (const [kind, value, isFound, rule] of found) {
  test(`names: ${kind} ${value} is ${isFound ? "" : "not "}found in a certificate (${rule})`, () => {
    assertEquals(hasSubject(read(leaf), { kind, value }), isFound);
    assertEquals(hasSubject(read(plain), { kind, value }), false);
  });
}

const cases = [
  ["http://2130706433/", "http://127.0.0.1/", "RFC 3986 §7.4"],
  ["http://0177.0.0.1/", "http://127.0.0.1/", "RFC 3986 §7.4"],
  ["https://app.example/?a'", "https://app.example/?a%27", "RFC 3986 §2.2"],
] as const;
for (const [shown, registered, rule] of cases) {
  test(`names: san_uri ${registered} is not ${shown}, which a parser of URLs reads alike (${rule})`, () => {
    const contents = read(leaf);
    const alternativeNames = { ...contents.alternativeNames, uri: [shown] };
    assertEquals(
      hasSubject({ ...contents, alternativeNames }, { kind: "san_uri", value: registered }),
      false,
    );
  });
}

const hard: readonly (readonly [what: string, value: string, written: string])[] = [
  ["a number sign and digits", "#abcd", String.raw`\#abcd`],
  ["a number sign and what could be DER", "#0c0161", String.raw`\#0c0161`],
  ["a NUL before a digit", "a\x000", String.raw`a\000`],
  ["one space", " ", String.raw`\ `],
  ["spaces at both ends", "  a  ", String.raw`\  a \ `],
  ["a backslash and a space at the end", "a\\ ", String.raw`a\\\ `],
  ["each special character", '",+;<>\\=#', String.raw`\"\,\+\;\<\>\\=#`],
  ["other scripts, and a line break", "é 漢\n😀", "é 漢\n😀"],
  ["nothing", "", ""],
];

for (const [what, value, written] of hard) {
  test(`names: a value with ${what} is read as it was written (RFC 4514 §2.4)`, async () => {
    const name = [[{ type: "2.5.4.10", value: "Example" }], [{ type: "2.5.4.3", value }]];
    const text = `CN=${written},O=Example`;
    assertEquals(formatName(name), text);
    assertEquals(parseName(text), name);
    const { cert } = await createClientCertificate({ subject: name, validity });
    assertEquals(read(cert).subject, name);
  });
}

test("names: a value that is no text is DER in hexadecimal (RFC 4514 §2.4)", async () => {
  const subject = parseName("CN=#040161")!;
  assertEquals(formatName(subject), "CN=#040161");
  const { cert } = await createClientCertificate({ subject, validity });
  assertEquals(formatName(read(cert).subject), "CN=#040161");
});

test("names: a certificate has the names that it was created with", async () => {
  const subject = parseName(String.raw`CN=a\, b+UID=7,O=Example`)!;
  const names = { dns: ["a.example"], uri: ["urn:a"], ip: ["::1", "127.0.0.1"], email: ["a@b.example"] };
  const { cert } = await createClientCertificate({ subject, validity, ...names });
  const contents: CertificateContents = read(cert);
  assertEquals(isSameName(contents.subject, subject), true);
  assertEquals([contents.validFrom, contents.validTo], [validity.from, validity.until]);
  assertEquals(contents.alternativeNames.dns, names.dns);
  assertEquals(hasSubject(contents, { kind: "san_ip", value: "::1" }), true);
});
