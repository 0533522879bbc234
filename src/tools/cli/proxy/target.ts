/** Where a request to a proxy goes (RFC 9112 §3.2, RFC 9110 §9.3.6). */

import type { IncomingMessage } from "node:http";
import { type Address, parseAddress, withoutBrackets } from "../../../server/http/address.ts";
import { malformed, Refused } from "./refused.ts";

export interface Target {
  /** As URLs write it, without brackets and without a dot at the end. */
  readonly host: string;
  readonly port: number;
  /** Absent: the client asks for a tunnel. */
  readonly address?: Address;
}

/** Throws for a request in origin form, which is for a server. */
export function readTarget({ method, url = "" }: IncomingMessage): Target {
  if (method !== "CONNECT" && /^(\/|\*$)/.test(url)) {
    throw new Refused(421, "This is a proxy, and no server: set it as the proxy of your program.");
  }
  const target = method === "CONNECT" ? readAuthority(url) : readAbsolute(url);
  if (target === undefined) throw malformed();
  return target;
}

/** RFC 9112 §3.2.3: a host and a port. */
function readAuthority(text: string): Target | undefined {
  const [, host = "", port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  return createTarget(host, Number(port));
}

function readAbsolute(text: string): Target | undefined {
  const address = parseAddress(text);
  if (address === undefined) return undefined;
  const { protocol, hostname, port } = new URL(address.origin);
  const target = createTarget(hostname, Number(port) || (protocol === "https:" ? 443 : 80));
  return target && { ...target, address };
}

/** A parser of URLs writes other spellings of an address, such as 0x7f.1, as the address. */
function createTarget(host: string, port: number): Target | undefined {
  const url = `http://${host.replace(/\.$/, "")}/`;
  if (!(port >= 1 && port <= 65535) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  return hostname === "" ? undefined : { host: withoutBrackets(hostname), port };
}
