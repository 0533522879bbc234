/** The header in which a trusted proxy writes the certificate of a client (RFC 8705 §6.5, RFC 9440). */

import { assertEquals } from "@std/assert";
import { Buffer } from "node:buffer";
import { readCertificates } from "../../../../src/ground/crypto/x509/pem.ts";
import {
  fromRequest,
  type IncomingRequest,
  type PeerCertificate,
} from "../../../../src/ground/http/message.ts";
import { trustProxies } from "../../../../src/server/runtime/trusted_proxies.ts";
import { intermediate, plain, root } from "../../../ground/crypto/openssl_certificates.ts";
import { test } from "../../../runner.ts";

const proxy = "192.0.2.1";
const der = (pem: string) => readCertificates(pem)[0]!;
const bytes = (pem: string) => `:${Buffer.from(der(pem)).toString("base64")}:`;
const escaped = (pem: string) => encodeURIComponent(pem);

/** Returns what the server sees of a request with these headers. */
async function seen(
  headers: Readonly<Record<string, string>>,
  { configured, peer = proxy, shown }: {
    readonly configured?: string;
    readonly peer?: string;
    /** In the handshake of TLS. */
    readonly shown?: PeerCertificate;
  },
): Promise<PeerCertificate | undefined> {
  let found: IncomingRequest | undefined;
  const answer = trustProxies(
    (request) => {
      found = request;
      return Promise.resolve({ status: 200, headers: {}, body: "" });
    },
    [proxy],
    configured,
  );
  await answer(fromRequest(new Request("https://as.test/oauth2/token", { headers }), peer, undefined, shown));
  return found?.certificate;
}

const read: readonly (readonly [string, string, Readonly<Record<string, string>>, readonly string[]])[] = [
  ["Client-Cert", "RFC 9440 §2.2", { "client-cert": bytes(plain) }, [plain]],
  [
    "Client-Cert",
    "RFC 9440 §2.3",
    { "client-cert": bytes(plain), "client-cert-chain": `${bytes(intermediate)}, ${bytes(root)}` },
    [plain, intermediate, root],
  ],
  ["Client-Cert", "an empty list, RFC 9651 §4.2", {
    "client-cert": bytes(plain),
    "client-cert-chain": "",
  }, [plain]],
  ["X-Forwarded-Client-Cert", "Envoy", {
    "x-forwarded-client-cert": `Hash=0a1b;Cert="${escaped(plain)}";Subject="CN=a;b, \\"c\\"";URI=`,
  }, [plain]],
  ["X-Forwarded-Client-Cert", "Envoy", {
    "x-forwarded-client-cert": `Cert="${escaped(plain)}";Chain="${escaped(plain + intermediate)}"`,
  }, [plain, intermediate]],
  ["SSL-Client-Cert", "nginx", { "ssl-client-cert": escaped(plain) }, [plain]],
  ["SSL-Client-Cert", "no end of its last line", { "ssl-client-cert": escaped(plain.trimEnd()) }, [plain]],
  ["SSL-Client-Cert", "an empty last line", { "ssl-client-cert": escaped(`${plain}\r\n`) }, [plain]],
];

for (const [configured, form, headers, expected] of read) {
  test(`certificate header: ${configured} with ${Object.keys(headers).length} header and ${expected.length} certificates (${form})`, async () => {
    const found = await seen(headers, { configured });
    assertEquals(found?.chain.map((each) => [...each]), expected.map((each) => [...der(each)]));
    assertEquals(found?.header, configured.toLowerCase());
  });

  test(`certificate header: ${configured} of another peer has no effect (RFC 8705 §6.5, ${form}, ${expected.length})`, async () => {
    assertEquals(await seen(headers, { configured, peer: "192.0.2.2" }), undefined);
    assertEquals(await seen(headers, {}), undefined);
    assertEquals(await seen(headers, { configured: "Other" }), undefined);
  });
}

const malformed: readonly (readonly [string, string, string])[] = [
  ["Client-Cert", "no byte sequence (RFC 9440 §2.2)", escaped(plain)],
  [
    "Client-Cert",
    "two values, because the proxy has not removed that of the client",
    `${bytes(plain)}, ${bytes(root)}`,
  ],
  ["Client-Cert", "base64 with other characters", ":a_b:"],
  ["Client-Cert", "a text before the byte sequence", `x${bytes(plain)}`],
  ["Client-Cert", "a parameter after the byte sequence", `${bytes(plain)};a=1`],
  ["X-Forwarded-Client-Cert", "a text before the pairs", `@Cert="${escaped(plain)}"`],
  ["X-Forwarded-Client-Cert", "a second Chain", `Cert="${escaped(plain)}";Chain="";Chain=""`],
  ["X-Forwarded-Client-Cert", "an unreadable Cert", 'Cert="%2";Chain=""'],
  ["SSL-Client-Cert", "a text before the certificate", `x${escaped(plain)}`],
  ["X-Forwarded-Client-Cert", "a hash alone", "Hash=0a1b"],
  ["X-Forwarded-Client-Cert", "two elements", `Cert="${escaped(plain)}",Cert="${escaped(root)}"`],
  [
    "X-Forwarded-Client-Cert",
    "a second Cert, which an alternative name of the client's certificate can add",
    `Cert="${escaped(plain)}";URI=urn:a;Cert="${escaped(root)}"`,
  ],
  ["X-Forwarded-Client-Cert", "an open quote", `Cert="${escaped(plain)}`],
  ["SSL-Client-Cert", "two certificates", `${escaped(plain)}, ${escaped(root)}`],
  ["SSL-Client-Cert", "an incomplete escape", "-----BEGIN%2"],
  ["SSL-Client-Cert", "no certificate", "FAILED"],
];

for (const [configured, what, value] of malformed) {
  test(`certificate header: ${configured} with ${what} is unreadable, and not absent`, async () => {
    assertEquals(await seen({ [configured]: value }, { configured }), {
      chain: [],
      header: configured.toLowerCase(),
    });
  });
}

test("certificate header: the certificate of the proxy itself is not that of the client (RFC 8705 §6.5)", async () => {
  const shown = { chain: [der(root)] };
  for (const configured of ["Client-Cert", "SSL-Client-Cert"]) {
    assertEquals(await seen({}, { configured, shown }), undefined);
    assertEquals(await seen({ [configured]: "" }, { configured, shown }), undefined);
  }
  assertEquals(await seen({ "x-forwarded-for": "198.51.100.1" }, { shown }), undefined);
  // A program on the same machine may be a client, too.
  assertEquals(await seen({}, { shown }), shown);
});

test("certificate header: a request without the header has no certificate", async () => {
  assertEquals(await seen({}, { configured: "Client-Cert" }), undefined);
  assertEquals(await seen({ "client-cert": "" }, { configured: "Client-Cert" }), undefined);
});
