/** Connects a proxy to hosts that are not its own, and not to addresses that have secrets of the machine. */

import { lookup } from "node:dns/promises";
import { connect, type Socket } from "node:net";
import { networkInterfaces } from "node:os";
import { classifyAddress, listIpv4In, ranges } from "../../../ground/http/special_address.ts";
import { ipOctets, readIpAddress } from "../../../ground/values/ip_address.ts";
import type { Target } from "./read_head.ts";

/** The refusal of the proxy. The message is a sentence for the person who runs the client. */
export class Refused extends Error {
  override readonly name = "Refused";

  constructor(readonly status: number, message: string) {
    super(message);
  }
}

export interface Caller {
  readonly proxyPort: number;
  /** The caller is not on this machine, so it does not reach what only this machine reaches. */
  readonly isElsewhere: boolean;
  readonly signal: AbortSignal;
  /** Default: as the system finds them. */
  readonly findAddresses?: FindAddresses | undefined;
  /** Default: the addresses of the interfaces that the system lists, which are those that are up. */
  readonly listOwn?: () => readonly string[];
}

export type FindAddresses = (host: string) => Promise<readonly string[]>;

// Milliseconds, for each address.
const connectTimeout = 10_000;

/** Resolves to a connection, or rejects with `Refused`. One forbidden address of the host is enough. */
export async function connectToOther(target: Target, caller: Caller): Promise<Socket> {
  const { host, port } = target;
  const { findAddresses = askSystem, listOwn = listInterfaces } = caller;
  const addresses = await findAddresses(host).catch(() => {
    throw new Refused(502, `The proxy cannot find ${host}.`);
  });
  const refusal = refuseThisMachine(target, caller);
  for (const address of addresses) {
    requireAllowed(address, host);
    if (refusal !== undefined && isThisMachine(address, listOwn())) throw refusal;
  }
  for (const address of addresses) {
    const socket = await connectTo(address, port, caller.signal);
    if (socket === undefined) continue;
    // A connection to this machine has the same address at both ends, also if the interface is down.
    if (refusal === undefined || socket.localAddress !== socket.remoteAddress) return socket;
    socket.destroy();
    throw refusal;
  }
  throw new Refused(502, `The proxy cannot connect to ${host} at port ${port}.`);
}

async function askSystem(host: string): Promise<readonly string[]> {
  return (await lookup(host, { all: true })).map(({ address }) => address);
}

function listInterfaces(): readonly string[] {
  return Object.values(networkInterfaces()).flatMap((all = []) => all.map(({ address }) => address));
}

/** Returns `undefined` if the caller may reach this machine at the port. */
function refuseThisMachine(
  { host, port }: Target,
  { proxyPort, isElsewhere }: Caller,
): Refused | undefined {
  if (isElsewhere) {
    return new Refused(
      403,
      `The proxy does not connect other machines to ${host}, which is its own machine.`,
    );
  }
  return port === proxyPort ? new Refused(403, "The proxy does not connect to itself.") : undefined;
}

/** Besides loopback addresses, 0.0.0.0/8 and :: lead to this machine, and so do the addresses of its interfaces. */
function isThisMachine(address: string, own: readonly string[]): boolean {
  return [readIpAddress(address) ?? address, ...listIpv4In(address)].some((each) =>
    classifyAddress(each) === "loopback" || each.startsWith("0.") || own.includes(each)
  );
}

function requireAllowed(address: string, host: string): void {
  if (![address, ...listIpv4In(address)].some(isForbidden)) return;
  const at = host === address ? host : `${host} (${address})`;
  const reason = "the address is link-local, has metadata, or is for a translator of the local network";
  throw new Refused(403, `The proxy does not connect to ${at}: ${reason}.`);
}

const forbiddenIpv4 = ranges(
  "169.254.0.0/16",
  // The metadata of Alibaba Cloud, Azure and Oracle Cloud.
  "100.100.100.200/32",
  "168.63.129.16/32",
  "192.0.0.192/32",
);

const forbiddenIpv6 = ranges(
  "fe80::/10",
  // The metadata of AWS and Google Cloud.
  ...["fd00:ec2::254/128", "fd20:ce::254/128"],
  // RFC 8215: where the IPv4 address is, only the translator knows.
  "64:ff9b:1::/48",
);

/** An address with a zone is link-local (RFC 4007 §6). */
function isForbidden(address: string): boolean {
  const octets = ipOctets(address);
  if (octets === undefined) return true;
  const bits = octets.map((octet) => octet.toString(2).padStart(8, "0")).join("");
  return octets.length === 4 ? forbiddenIpv4(bits) : forbiddenIpv6(bits);
}

function connectTo(host: string, port: number, signal: AbortSignal): Promise<Socket | undefined> {
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    const stop = () => void socket.destroy();
    signal.addEventListener("abort", stop);
    socket.setTimeout(connectTimeout, stop)
      .once("connect", () => resolve(socket))
      .on("error", stop)
      .once("close", () => resolve(undefined));
    if (signal.aborted) stop();
  });
}
