/** Which versions and cipher suites of TLS a listener accepts (RFC 9325; FAPI 2.0 Security Profile §5.2.1, §5.2.2). */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { readFile } from "node:fs/promises";
import { connect } from "node:net";
import { listeners, saying, testOf, withSite } from "./site.ts";

const versions = { "TLS 1.0": 0x0301, "TLS 1.1": 0x0302, "TLS 1.2": 0x0303 };

/** RFC 9325 §4.2: the recommended suites of TLS 1.2 that fit the certificate, whose key is ECDSA. */
const recommended = {
  TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256: 0xc02b,
  TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384: 0xc02c,
};

/** Suites without forward secrecy, without authenticated encryption, or without either. */
const others = {
  TLS_RSA_WITH_AES_128_CBC_SHA: 0x002f,
  TLS_RSA_WITH_AES_128_GCM_SHA256: 0x009c,
  TLS_RSA_WITH_3DES_EDE_CBC_SHA: 0x000a,
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA: 0xc009,
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA: 0xc00a,
  TLS_ECDHE_ECDSA_WITH_AES_128_CBC_SHA256: 0xc023,
  TLS_ECDHE_ECDSA_WITH_AES_256_CBC_SHA384: 0xc024,
};

const uint16 = (...values: readonly number[]) => values.flatMap((value) => [value >> 8, value & 0xff]);
const withLength = (octets: readonly number[]) => [...uint16(octets.length), ...octets];
const extension = (type: number, octets: readonly number[]) => [...uint16(type), ...withLength(octets)];

/** A ClientHello (RFC 5246 §7.4.1.2) that offers this version at most, and these cipher suites. */
function helloOf(version: number, suites: readonly number[]): Buffer {
  const extensions = [
    // P-256 and P-384, uncompressed (RFC 8422 §5.1).
    ...extension(0x000a, withLength(uint16(0x0017, 0x0018))),
    ...extension(0x000b, [1, 0]),
    // ECDSA with P-256, and with SHA-1 for the older versions (RFC 5246 §7.4.1.4.1).
    ...extension(0x000d, withLength(uint16(0x0403, 0x0203))),
    ...extension(0x0017, []),
  ];
  const random = Array.from({ length: 32 }, (_, index) => index);
  const noSession = 0;
  const noCompression = [1, 0];
  const body = [
    ...uint16(version),
    ...random,
    noSession,
    ...withLength(uint16(...suites)),
    ...noCompression,
    ...withLength(extensions),
  ];
  const handshake = [1, 0, ...withLength(body)];
  return Buffer.from([22, ...uint16(0x0301), ...withLength(handshake)]);
}

/** Resolves to the version and the cipher suite that the server chooses, or to `refused`. */
function offer(port: number, version: number, suites: readonly number[]): Promise<unknown> {
  return new Promise((resolve) => {
    const socket = connect(port, "localhost", () => socket.write(helloOf(version, suites)));
    socket.once("data", (answer: Buffer) => {
      socket.destroy();
      // The record is a handshake, and its message is a ServerHello.
      const isHello = answer[0] === 22 && answer[5] === 2;
      resolve(isHello ? [answer.readUInt16BE(9), answer.readUInt16BE(44 + answer[43]!)] : "refused");
    });
    socket.once("error", () => resolve("refused")).once("close", () => resolve("refused"));
  });
}

async function withTls(terms: Parameters<typeof withSite>[2], work: (port: number) => Promise<void>) {
  const [cert = "", key = ""] = await Promise.all(
    ["localhost.crt", "localhost.key"].map((file) => readFile(`tests/certificates/${file}`, "utf8")),
  );
  await withSite(() => Promise.resolve(saying("")), ({ port }) => work(port), {
    ...terms,
    tls: { cert, key },
    drainTimeout: 0.2,
  });
}

for (const [name, terms] of listeners) {
  const test = testOf(terms);

  test(`tls: TLS 1.2 is the oldest version, on ${name} (RFC 9325 §3.1.1, FAPI 2.0 §5.2.1)`, () =>
    withTls(terms, async (port) => {
      const suites = [...Object.values(recommended), ...Object.values(others)];
      assertEquals(await offer(port, versions["TLS 1.0"], suites), "refused");
      assertEquals(await offer(port, versions["TLS 1.1"], suites), "refused");
      const [chosen] = await offer(port, versions["TLS 1.2"], suites) as readonly number[];
      assertEquals(chosen, versions["TLS 1.2"]);
    }));

  test(`tls: TLS 1.2 has the recommended cipher suites only, on ${name} (RFC 9325 §4.2, FAPI 2.0 §5.2.2)`, () =>
    withTls(terms, async (port) => {
      for (const [suite, id] of Object.entries(recommended)) {
        assertEquals([suite, await offer(port, versions["TLS 1.2"], [id])], [suite, [
          versions["TLS 1.2"],
          id,
        ]]);
      }
      for (const [suite, id] of Object.entries(others)) {
        assertEquals([suite, await offer(port, versions["TLS 1.2"], [id])], [suite, "refused"]);
      }
    }));
}
