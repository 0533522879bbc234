/** What a server of TLS must show on Deno, besides what Deno checks itself (RFC 5280 §6.1, RFC 8446 §4.4.3). */

import { assertEquals } from "@std/assert";
import type { PeerCertificate } from "node:tls";
import { createServerCheck, unprovenServer } from "../../../../src/ground/crypto/x509/check_server.ts";
import { readCertificates } from "../../../../src/ground/crypto/x509/pem.ts";
import {
  deepAuthority,
  forged,
  intermediate,
  leaf,
  plain,
  root,
} from "../../../ground/crypto/openssl_certificates.ts";
import { runtime, test } from "../../../runner.ts";
import { serverIntermediate, serverLeaf, serverRoot } from "./server_vectors.ts";

const untrusted = "no authority that is trusted has signed the certificate";

const cases: readonly (readonly [
  what: string,
  sent: readonly string[],
  trusted: string,
  problem: string | undefined,
])[] = [
  ["below an intermediate one", [serverLeaf, serverIntermediate], serverRoot, undefined],
  ["below a trusted intermediate one", [serverLeaf], serverIntermediate, undefined],
  ["that is trusted itself", [serverLeaf], serverLeaf, undefined],
  [
    "with others in another order",
    [serverLeaf, deepAuthority, serverRoot, serverIntermediate],
    serverRoot,
    undefined,
  ],
  ["without its intermediate one", [serverLeaf], serverRoot, untrusted],
  ["of another authority", [serverLeaf, serverIntermediate], root, untrusted],
  ["for clients only", [leaf, intermediate], root, "the certificate is not for servers"],
  ["that only names the authority", [forged, root], root, untrusted],
  ["of version 1", [plain], root, unprovenServer],
];

for (const [what, sent, trusted, problem] of cases) {
  const name = `tls: on Deno, a server with a certificate ${what} is ${problem ? "refused" : "accepted"}`;
  if (runtime === "deno") {
    test(`${name} (RFC 5280 §6.1)`, () => {
      const check = createServerCheck(trusted);
      assertEquals(check!(toPeerCertificate(sent.flatMap(readCertificates)))?.message, problem);
    });
  } else test.skip(name, "the other runtimes check servers themselves");
}

/** Writes a chain as `node:tls` does. */
function toPeerCertificate(sent: readonly Uint8Array[]): PeerCertificate {
  return sent.reduceRight<object>((issuerCertificate, raw) => ({ raw, issuerCertificate }), {}) as
    & PeerCertificate
    & object;
}
