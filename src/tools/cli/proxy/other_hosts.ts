/** Connects a proxy to hosts that are not its own, and not to addresses that have secrets of the machine. */

import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { isLoopbackHost } from "../../../server/http/address.ts";
import { ranges } from "../../../server/http/special_address.ts";
import { formatIp, ipOctets } from "../../../server/values/ip_address.ts";
import type { Target } from "./read_head.ts";
import { Refused } from "./refused.ts";

export interface Caller {
  readonly proxyPort: number;
  /** The caller is not on this machine, so it does not reach what only this machine reaches. */
  readonly isElsewhere: boolean;
  readonly signal: AbortSignal;
  /** Default: as the system finds them. */
  readonly findAddresses?: FindAddresses | undefined;
}

export type FindAddresses = (host: string) => Promise<readonly string[]>;

// Milliseconds, for each address.
const connectTimeout = 10_000;

/** Resolves to a connection, or rejects with `Refused`. One forbidden address of the host is enough. */
export async function connectToOther(target: Target, caller: Caller): Promise<Socket> {
  const { host, port } = target;
  const { findAddresses = askSystem } = caller;
  const found = await findAddresses(host).catch((cause) => {
    throw new Refused(502, `The proxy cannot find ${host}.`, { cause });
  });
  const addresses = found.map(toIpv4);
  for (const address of addresses) requireAllowed(address, target, caller);
  for (const address of addresses) {
    const socket = await connectTo(address, port, caller.signal);
    if (socket === undefined) continue;
    // A connection to an address of this machine has the same address at both ends.
    if (port !== caller.proxyPort || socket.localAddress !== socket.remoteAddress) return socket;
    socket.destroy();
    throw refuseItself();
  }
  throw new Refused(502, `The proxy cannot connect to ${host} at port ${port}.`);
}

async function askSystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function requireAllowed(
  address: string,
  { host, port }: Target,
  { proxyPort, isElsewhere }: Pick<Caller, "proxyPort" | "isElsewhere">,
): void {
  const at = host === address ? host : `${host} (${address})`;
  if (isForbidden(address)) {
    const reason = "the address is link-local, or has metadata";
    throw new Refused(403, `The proxy does not connect to ${at}: ${reason}.`);
  }
  const isThisMachine = isLoopbackHost(address) || /^(0\.|::$)/.test(address);
  if (isThisMachine && isElsewhere) {
    throw new Refused(403, `The proxy does not connect other machines to ${at}, which is its own machine.`);
  }
  if (isThisMachine && port === proxyPort) throw refuseItself();
}

function refuseItself(): Refused {
  return new Refused(403, "The proxy does not connect to itself.");
}

const forbiddenIpv4 = ranges(
  "169.254.0.0/16",
  // The metadata of Alibaba Cloud, Azure and Oracle Cloud.
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
);

// Link-local addresses, and the metadata of AWS and Google Cloud.
const forbiddenIpv6 = ranges("fe80::/10", "fd00:ec2::254/128", "fd20:ce::254/128");

/** An address with a zone is link-local (RFC 4007 §6). */
function isForbidden(address: string): boolean {
  const octets = ipOctets(address);
  if (octets === undefined) return true;
  const bits = octets.map((octet) => octet.toString(2).padStart(8, "0")).join("");
  return octets.length === 4 ? forbiddenIpv4(bits) : forbiddenIpv6(bits);
}

/** Returns the IPv4 address inside of an IPv6 address: mapped, compatible, of NAT64 (RFC 6052 §2.1) or 6to4 (RFC 3056 §2). */
function toIpv4(address: string): string {
  const octets = ipOctets(address);
  if (octets?.length !== 16 || isLoopbackHost(address) || address === "::") return address;
  const start = octets.map((octet) => octet.toString(16).padStart(2, "0")).join("");
  if (/^(0{20}(ffff|0000)|0064ff9b0{16})/.test(start)) return formatIp(octets.slice(12))!;
  return start.startsWith("2002") ? formatIp(octets.slice(2, 6))! : address;
}

function connectTo(host: string, port: number, signal: AbortSignal): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const stop = () => void socket.destroy();
    const end = (result: Socket | undefined) => {
      signal.removeEventListener("abort", stop);
      socket.setTimeout(0);
      resolve(result);
    };
    signal.addEventListener("abort", stop, { once: true });
    socket.setTimeout(connectTimeout, stop)
      .once("connect", () => end(socket))
      .on("error", stop)
      .once("close", () => end(undefined));
    if (signal.aborted) stop();
  });
}
