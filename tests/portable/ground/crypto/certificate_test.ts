/** The certificate of a mock that listens with TLS: its fields, and which clients accept it. */

import {
  assert,
  assertEquals,
  assertFalse,
  assertMatch,
  assertRejects,
  assertStringIncludes,
} from "@std/assert";
import { Buffer } from "node:buffer";
import { execFile } from "node:child_process";
import { createPrivateKey, createPublicKey, X509Certificate } from "node:crypto";
import { writeFile } from "node:fs/promises";
import { createServer, request as requestHttps } from "node:https";
import type { AddressInfo } from "node:net";
import { networkInterfaces } from "node:os";
import process from "node:process";
import { checkServerIdentity, type PeerCertificate } from "node:tls";
import { promisify } from "node:util";
import {
  type Certificate,
  createAuthority,
  createCertificate,
  exportPrivateKey,
  restoreAuthority,
} from "../../../../src/ground/crypto/x509/certificate.ts";
import * as der from "../../../../src/ground/crypto/x509/der.ts";
import type { NameLimits } from "../../../../src/ground/crypto/x509/general_names.ts";
import { createFolder } from "../../../in_folder.ts";
import { runtime, test } from "../../../runner.ts";

const localHosts = ["localhost", "127.0.0.1", "::1"];

const day = 24 * 60 * 60;

function create(hosts: readonly string[] = localHosts): Promise<Certificate> {
  return createCertificate({ hosts, now: Date.now() / 1000 });
}

/** A server of `node:https` at 127.0.0.1, which answers everything with "hello". */
async function withSite(
  { cert, key }: Certificate,
  work: (port: number) => Promise<void>,
  address = "127.0.0.1",
): Promise<void> {
  const server = createServer({ cert, key }, (_request, response) => response.end("hello"));
  // A client that does not trust the server cuts the connection, which is not an error of the test.
  server.on("tlsClientError", () => {});
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, address, resolve);
  });
  try {
    await work((server.address() as AddressInfo).port);
  } finally {
    const closed = new Promise((resolve) => server.close(resolve));
    server.closeAllConnections();
    await closed;
  }
}

function read(url: string, ca?: string | readonly string[]): Promise<string> {
  return new Promise((resolve, reject) => {
    const trust = ca === undefined ? {} : { ca: typeof ca === "string" ? ca : [...ca] };
    const terms = { ...trust, agent: false, headers: { connection: "close" } };
    const request = requestHttps(url, terms, (response) => {
      let text = "";
      response.setEncoding("utf8").on("data", (part: string) => text += part);
      response.once("end", () => resolve(text));
    });
    request.once("error", reject).end();
  });
}

const untrusted = "unable to verify the first certificate";

const hasIpv6 = Object.values(networkInterfaces()).flat().some((each) => each?.address === "::1");
const ipv6Names = { subject: {}, subjectaltname: "IP Address:0:0:0:0:0:0:0:1" } as PeerCertificate;
const ipv6 = "certificate: [::1] is an address like any other";
if (!hasIpv6) test.skip(ipv6, "this machine has no [::1]");
else if (runtime === "node" && checkServerIdentity("::1", ipv6Names) !== undefined) {
  test.skip(ipv6, "this Node finds no IPv6 address in any certificate, nodejs/node#64144");
} else {
  test(ipv6, async () => {
    const certificate = await create();
    await withSite(certificate, async (port) => {
      assertEquals(await read(`https://[::1]:${port}/`, certificate.ca), "hello");
    }, "::1");
  });
}

test("certificate: two authorities have the same name, and neither is trusted for the other's servers", async () => {
  const [mine, other] = await Promise.all([create(), create()]);
  assertEquals(new X509Certificate(mine.ca).subject, new X509Certificate(other.ca).subject);
  await withSite(mine, async (port) => {
    const url = `https://localhost:${port}/`;
    await assertRejects(() => read(url, other.ca), Error, untrusted);
    for (const both of [[mine.ca, other.ca], [other.ca, mine.ca]]) {
      assertEquals(await read(url, both), "hello");
    }
  });
});

test("certificate: the authority signs itself and the server, and the server is not an authority", async () => {
  const certificate = await create();
  const [ca, cert] = [new X509Certificate(certificate.ca), new X509Certificate(certificate.cert)];
  assertEquals(ca.subject, "CN=Postern test authority (only on this machine)");
  assertEquals([ca.issuer, cert.issuer], [ca.subject, ca.subject]);
  assertEquals(cert.subject, "CN=localhost");
  assertEquals([ca.ca, cert.ca], [true, false]);
  assert(ca.verify(ca.publicKey));
  assert(cert.verify(ca.publicKey));
  assertFalse(cert.verify(cert.publicKey));
  assert(cert.checkIssued(ca));
  assertFalse(ca.checkIssued(cert));
  assert(cert.checkPrivateKey(createPrivateKey(certificate.key)));
  const options = { format: "pem", type: "spki" } as const;
  assertEquals(createPublicKey(certificate.key).export(options), cert.publicKey.export(options));
});

test("certificate: names exactly the hosts that it is made for", async () => {
  const cert = new X509Certificate((await create([...localHosts, "auth.example", "2001:db8::8:0:1"])).cert);
  assertEquals(cert.checkHost("localhost"), "localhost");
  assertEquals(cert.checkHost("auth.example"), "auth.example");
  for (const host of ["other.example", "sub.localhost", "example"]) {
    assertEquals(cert.checkHost(host), undefined, host);
  }
  for (const address of ["127.0.0.1", "::1", "2001:db8::8:0:1"]) {
    assertEquals(cert.checkIP(address), address);
  }
  for (const address of ["127.0.0.2", "::2", "2001:db8::8:1"]) {
    assertEquals(cert.checkIP(address), undefined, address);
  }
  assertEquals(new X509Certificate((await create(["127.0.0.1"])).cert).checkHost("localhost"), undefined);
});

test("certificate: is valid from one day before until 30 days after", async () => {
  for (const now of [Date.UTC(2026, 0, 31, 23, 59, 59) / 1000 + 0.75, Date.UTC(2049, 11, 31) / 1000]) {
    const { ca, cert } = await createCertificate({ hosts: localHosts, now });
    for (const { validFrom, validTo } of [new X509Certificate(ca), new X509Certificate(cert)]) {
      assertEquals(Date.parse(validFrom) / 1000, Math.floor(now) - day);
      assertEquals(Date.parse(validTo) / 1000, Math.floor(now) + 30 * day);
    }
  }
});

test("certificate: serial numbers are random, positive and up to 20 octets (RFC 5280 §4.1.2.2)", async () => {
  const made = await Promise.all([create(), create(), create(), create()]);
  const numbers = made.flatMap(({ ca, cert }) => [ca, cert]).map((pem) =>
    new X509Certificate(pem).serialNumber
  );
  assertEquals(new Set(numbers).size, numbers.length);
  for (const number of numbers) assertMatch(number, /^(?=.*[1-9A-F])[0-9A-F]{24,38}$/);
});

test("certificate: has the extensions of RFC 5280 §4.2, critical where required", async () => {
  const { ca, cert } = await create();
  const [caKey, certKey] = await Promise.all([findKeyId(ca), findKeyId(cert)]);
  const ofTheAuthority = [
    // basicConstraints, critical: CA:TRUE, pathlen 0
    "30120603551d130101ff040830060101ff020100",
    // keyUsage, critical: keyCertSign, cRLSign
    "300e0603551d0f0101ff040403020106",
    // subjectKeyIdentifier
    `301d0603551d0e04160414${caKey}`,
  ];
  const ofTheServer = [
    // basicConstraints, critical: CA:FALSE
    "300c0603551d130101ff04023000",
    // keyUsage, critical: digitalSignature
    "300e0603551d0f0101ff040403020780",
    // extendedKeyUsage: serverAuth
    "30130603551d25040c300a06082b06010505070301",
    // subjectAltName: localhost, 127.0.0.1, ::1
    "302c0603551d1104253023" + "82096c6f63616c686f7374" + "87047f000001" + `8710${"00".repeat(15)}01`,
    // authorityKeyIdentifier
    `301f0603551d23041830168014${caKey}`,
    // subjectKeyIdentifier
    `301d0603551d0e04160414${certKey}`,
  ];
  assertStringIncludes(toHex(new X509Certificate(ca).raw), `a3453043${ofTheAuthority.join("")}`);
  assertStringIncludes(toHex(new X509Certificate(cert).raw), `a381a43081a1${ofTheServer.join("")}`);
});

/** RFC 7093 §2, method 1: of the point, with which the key's 91 octets end. */
async function findKeyId(pem: string): Promise<string> {
  const key = new X509Certificate(pem).publicKey.export({ format: "der", type: "spki" });
  assertEquals(key.length, 91);
  return toHex(await crypto.subtle.digest("SHA-256", new Uint8Array(key.subarray(-65)))).slice(0, 40);
}

function toHex(octets: Uint8Array | ArrayBuffer): string {
  return Buffer.from(new Uint8Array(octets)).toString("hex");
}

const validity = { from: Date.now() / 1000 - day, until: Date.now() / 1000 + day };

/** Creates a CA with limits, and writes it to PEM and back. */
async function createLimited(limits: NameLimits) {
  const name = "A limited authority";
  const { cert, privateKey } = await createAuthority({ name, validity, keepsKey: true, limits });
  return await restoreAuthority({ name, cert, key: await exportPrivateKey(privateKey) });
}

test("certificate: limits of an authority are name constraints, critical, and only servers get certificates (RFC 5280 §4.2.1.10)", async () => {
  const { cert } = await createLimited({ permitted: ["localhost", "127.0.0.0/8", "::1/128"] });
  const permitted = "300b" + `8209${toHex(new TextEncoder().encode("localhost"))}` +
    "300a" + "87087f000000ff000000" +
    "3022" + `8720${"00".repeat(15)}01${"ff".repeat(16)}`;
  // nameConstraints, critical: permittedSubtrees; extendedKeyUsage: serverAuth
  const extensions = `304b0603551d1e0101ff0441303fa03d${permitted}30130603551d25040c300a06082b06010505070301`;
  assertStringIncludes(toHex(new X509Certificate(cert).raw), extensions);
  const excluding = await createLimited({ permitted: ["a.b"], excluded: ["0.0.0.0/0", "10.0.0.0/12"] });
  assertStringIncludes(
    toHex(new X509Certificate(excluding.cert).raw),
    "a0073005" + "8203612e62" + "a118" + "300a" + `8708${"00".repeat(8)}` + "300a" + "87080a000000fff00000",
  );
});

test("certificate: a common name is cut to 64 characters", async () => {
  const name = `${"long-".repeat(11)}name.${"other-".repeat(9)}name.example`;
  const cert = new X509Certificate((await create([name])).cert);
  assertEquals(cert.subject, `CN=${name.slice(0, 64)}`);
  assertEquals(cert.checkHost(name), name);
});

test("certificate: a value that is not a host is refused, and the error shows it", async () => {
  const wrong = [
    "",
    "https://localhost",
    "localhost:8443",
    "[::1]",
    "fe80::1%eth0",
    "127.0.0.256",
    "münchen.example",
    "localhost.",
    "a..b",
    "*.example",
  ];
  for (const host of wrong) {
    await assertRejects(
      () => create(["localhost", host]),
      TypeError,
      `for ${JSON.stringify(host)}: expected`,
    );
  }
  await assertRejects(() => create([]), TypeError, "without a host");
});

test("certificate: an environment variable makes the global fetch of a process trust it", async () => {
  const certificate = await create();
  await using path = await createFolder();
  await writeFile(path("ca.pem"), certificate.ca);
  await withSite(certificate, async (port) => {
    const program = `fetch("https://localhost:${port}/").then(
        async (answer) => console.log(await answer.text()),
        () => console.log("refused"),
      )`;
    const fetchWith = async (env: Readonly<Record<string, string>>) => {
      const run = runtime === "deno" ? "eval" : "-e";
      const terms = { env: { ...process.env, NO_COLOR: "1", ...env } };
      const { stdout, stderr } = await promisify(execFile)(process.execPath, [run, program], terms);
      return stdout.trim() || stderr;
    };
    const variables = ["NODE_EXTRA_CA_CERTS", ...(runtime === "deno" ? ["DENO_CERT"] : [])];
    for (const variable of variables) {
      assertEquals(await fetchWith({ [variable]: path("ca.pem") }), "hello", variable);
    }
    assertEquals(await fetchWith({}), "refused");
  });
});

test("der: an integer has the shortest form and is never negative (X.690 §8.3)", () => {
  assertEquals(toHex(der.integer([0])), "020100");
  assertEquals(toHex(der.integer([])), "020100");
  assertEquals(toHex(der.integer([0x7f])), "02017f");
  assertEquals(toHex(der.integer([0x80])), "02020080");
  assertEquals(toHex(der.integer([0, 0, 0x80, 0])), "0203008000");
  assertEquals(toHex(der.integer([0, 0, 1, 0])), "02020100");
});

test("der: a length up to 127 takes one octet, and a greater one the shortest form (X.690 §10.1)", () => {
  const startOf = (length: number) => toHex(der.octetString(new Uint8Array(length)).subarray(0, 4));
  assertEquals(startOf(127), "047f0000");
  assertEquals(startOf(128), "04818000");
  assertEquals(startOf(255), "0481ff00");
  assertEquals(startOf(256), "04820100");
  assertEquals(startOf(65535), "0482ffff");
});

test("der: named bits end with the last bit that is set (X.690 §11.2.2)", () => {
  assertEquals(toHex(der.namedBits(5, 6)), "03020106");
  assertEquals(toHex(der.namedBits(7)), "03020001");
  assertEquals(toHex(der.namedBits(0, 8)), "0303078080");
});

test("der: a year has two digits until 2049 and four from 2050 (RFC 5280 §4.1.2.5)", () => {
  const texts = [
    Date.UTC(2049, 11, 31, 23, 59, 59),
    Date.UTC(2050, 0, 1),
    Date.UTC(2026, 1, 3, 4, 5, 6) + 789,
  ]
    .map((milliseconds) => der.time(milliseconds / 1000))
    .map(([tag, length, ...text]) => [tag, length, Buffer.from(text).toString("latin1")]);
  assertEquals(texts, [
    [0x17, 13, "491231235959Z"],
    [0x18, 15, "20500101000000Z"],
    [0x17, 13, "260203040506Z"],
  ]);
});
