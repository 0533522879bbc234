/** Finds the client's address in the headers of a proxy that the server trusts. */

import { readIpAddress } from "../../ground/values/ip_address.ts";
import { changeRequest, type IncomingRequest, tokenPattern } from "../../ground/http/message.ts";
import { readCertificateHeader } from "./certificate_header.ts";
import type { Respond } from "./listener.ts";

/** A request from one of these proxies gets the peer that the proxy names, and the certificate in its header. */
export function trustProxies(
  answer: Respond,
  addresses: readonly string[],
  certificateHeader?: string,
): Respond {
  if (addresses.length === 0) return answer;
  const trusted = new Set(addresses.map((address) => readIpAddress(address) ?? address));
  return (request) => {
    const peer = readIpAddress(request.peer ?? "");
    if (peer === undefined || !trusted.has(peer)) return answer(request);
    const named = findForwardedPeer(request, trusted);
    const isChanged = named !== undefined || certificateHeader !== undefined;
    return answer(isChanged ? withFacts(request, named ?? request.peer, certificateHeader) : request);
  };
}

/** Returns the last untrusted address. Proxies append addresses, so the client may have forged the earlier ones. */
function findForwardedPeer(request: IncomingRequest, trusted: ReadonlySet<string>): string | undefined {
  const [forwarded, forwardedFor] = [request.header("forwarded"), request.header("x-forwarded-for")];
  // A proxy writes one of the two headers. The client may have sent the other one.
  if ((forwarded === undefined) === (forwardedFor === undefined)) return undefined;
  const addresses = forwarded === undefined ? splitList(forwardedFor!) : readForwarded(forwarded);
  let nearest: string | undefined;
  for (const written of addresses.toReversed()) {
    nearest = readNode(written);
    if (nearest === undefined || !trusted.has(nearest)) return nearest;
  }
  return nearest;
}

function splitList(text: string): readonly string[] {
  return text.split(",").map((each) => each.trim());
}

const pair = `${tokenPattern}=(?:${tokenPattern}|"(?:[^"\\\\]|\\\\.)*")`;
const element = `${pair}(?:[\\t ]*;[\\t ]*${pair})*`;
const wholeForwarded = new RegExp(`^${element}(?:[\\t ]*,[\\t ]*${element})*$`);
const elements = new RegExp(`[\\t ,]*(${element})`, "gy");
const pairs = new RegExp(`[\\t ;]*(${pair})`, "gy");

/** Returns the `for` of each element (RFC 7239 §4). The list is empty if the header is malformed. */
function readForwarded(text: string): readonly string[] {
  if (!wholeForwarded.test(text)) return [];
  return [...text.matchAll(elements)].map(([, written = ""]) => {
    const named = [...written.matchAll(pairs)].map(([, each = ""]) => each)
      .find((each) => /^for=/i.test(each));
    return named?.slice("for=".length).replace(/^"(.*)"$/, "$1") ?? "";
  });
}

/** Reads an address with an optional port (RFC 7239 §6). Returns `undefined` for a name such as `unknown`. */
function readNode(text: string): string | undefined {
  const [, inBrackets, v4] = /^(?:\[([\da-f:.]+)\]|([\d.]+))(?::\d{1,5})?$/i.exec(text) ?? [];
  return readIpAddress(inBrackets ?? v4 ?? text);
}

function withFacts(
  request: IncomingRequest,
  peer: string | undefined,
  certificateHeader: string | undefined,
): IncomingRequest {
  return {
    ...changeRequest(request, { peer }),
    // The certificate of the connection, if there is one, is that of the proxy.
    get certificate() {
      return certificateHeader === undefined ? undefined : readCertificateHeader(request, certificateHeader);
    },
  };
}
