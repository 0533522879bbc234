/** Reads the certificate that a client has shown in the handshake of TLS. */

import { Buffer } from "node:buffer";
import type { TLSSocket } from "node:tls";
import { isProvenOnDeno } from "../crypto/x509/proven_on_deno.ts";
import type { PeerCertificate } from "../http/message.ts";
import { findRuntimeName } from "./runtime_name.ts";

/** Returns `undefined` if the client has shown none. */
export function readPeerCertificate(socket: TLSSocket): PeerCertificate | undefined {
  const chain: Uint8Array[] = [];
  let each: { readonly raw?: Uint8Array; readonly issuerCertificate?: object } = socket.getPeerCertificate(
    true,
  );
  // The last certificate names itself as its issuer.
  while (each?.raw !== undefined && !isLast(each.raw, chain) && chain.length < longestChain) {
    chain.push(each.raw);
    each = each.issuerCertificate ?? {};
  }
  const [own] = chain;
  if (own === undefined) return undefined;
  const isProven = findRuntimeName() !== "deno" || isProvenOnDeno(own);
  return isProven ? { chain } : { chain: [], isUnproven: true };
}

const longestChain = 10;

function isLast(raw: Uint8Array, chain: readonly Uint8Array[]): boolean {
  const last = chain.at(-1);
  return last !== undefined && Buffer.compare(raw, last) === 0;
}
