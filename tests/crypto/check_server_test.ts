/** What a server of TLS must show on Deno, besides what Deno checks itself (RFC 5280 §6.1, RFC 8446 §4.4.3). */

import { assertEquals } from "@std/assert";
import type { PeerCertificate } from "node:tls";
import { createServerCheck, unprovenServer } from "../../src/crypto/check_server.ts";
import { readCertificates } from "../../src/crypto/pem.ts";
import { deepAuthority, forged, intermediate, leaf, plain, root } from "../features/mtls/vectors.ts";
import { runtime, test } from "../runner.ts";

const untrusted = "no authority that is trusted has signed the certificate";

const cases: readonly (readonly [
  what: string,
  sent: readonly string[],
  trusted: string,
  problem: string | undefined,
])[] = [
  ["below an intermediate one", [leaf, intermediate], root, undefined],
  ["below a trusted intermediate one", [leaf], intermediate, undefined],
  ["that is trusted itself", [leaf], leaf, undefined],
  ["with others in another order", [leaf, deepAuthority, root, intermediate], root, undefined],
  ["without its intermediate one", [leaf], root, untrusted],
  ["of another authority", [leaf, intermediate], forged, untrusted],
  ["that only names the authority", [forged, root], root, untrusted],
  ["of version 1", [plain], root, unprovenServer],
];

for (const [what, sent, trusted, problem] of cases) {
  const name = `tls: on Deno, a server with a certificate ${what} is ${problem ? "refused" : "accepted"}`;
  if (runtime === "deno") {
    test(`${name} (RFC 5280 §6.1)`, async () => {
      const check = await createServerCheck(trusted);
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
