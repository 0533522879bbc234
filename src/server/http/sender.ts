/** Tells which machine a request comes from. */

import { plainIp } from "../values/ip_address.ts";
import type { IncomingRequest } from "./message.ts";
import { classifyAddress } from "./special_address.ts";

/** An unknown address counts as another machine, for example after the socket has closed. */
export function isFromThisMachine(request: IncomingRequest): boolean {
  const { peer } = request;
  // A proxy on this machine may forward requests of other machines.
  return peer !== undefined && classifyAddress(plainIp(peer)) === "loopback" && !isForwarded(request);
}

/** As `isFromThisMachine`, but a request without a peer comes from this process. */
export function isFromThisMachineOrProcess(request: IncomingRequest): boolean {
  return request.peer === undefined ? !isForwarded(request) : isFromThisMachine(request);
}

const proxyHeader = /^(forwarded|via|x-real-ip|x-forwarded(-.+)?|cf-connecting-ip|true-client-ip)$/i;

/** Whether a proxy has forwarded the request. */
export function isForwarded(request: IncomingRequest): boolean {
  return request.headers().some(([name]) => proxyHeader.test(name));
}
