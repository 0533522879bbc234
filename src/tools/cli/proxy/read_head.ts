/** Reads the head of a request to a proxy (RFC 9112 §3.2, RFC 9110 §9.3.6). */

import { parseAddress, pathAndQuery, withoutBrackets } from "../../../ground/http/address.ts";
import { isToken } from "../../../ground/http/message.ts";

/** Where a request goes. The host is as URLs write it, without brackets and without a dot at the end. */
export interface Target {
  readonly host: string;
  readonly port: number;
}

export interface ProxyRequest {
  readonly target: Target;
  /** A request in absolute form, which has this head in origin form. Absent: the client asks for a tunnel. */
  readonly plain?: { readonly scheme: string; readonly head: string };
}

type Field = readonly [name: string, value: string];

/** RFC 9110 §7.6.1: they are for this connection only. */
const ofConnection = /^(host|connection|keep-alive|proxy-connection|proxy-authorization|te|upgrade)$/i;

/** Returns the header Proxy-Authorization, and reads nothing else of the head. */
export function findAuthorization(head: string): string | undefined {
  const line = head.split("\r\n").find((each) => /^proxy-authorization:/i.test(each));
  return line?.slice(line.indexOf(":") + 1).trim();
}

/** Returns `origin` for a request in origin form, and `undefined` for a malformed head. It has no empty line at its end. */
export function readHead(text: string): ProxyRequest | "origin" | undefined {
  const [first = "", ...lines] = text.split("\r\n");
  const [, method = "", asked = ""] = /^(\S+) (\S+) HTTP\/1\.[01]$/.exec(first) ?? [];
  const fields = lines.map(readField);
  if (!isToken(method) || !fields.every((field) => field !== undefined)) return undefined;
  if (method === "CONNECT") {
    const target = readAuthority(asked);
    return target && { target };
  }
  if (asked.startsWith("/") || asked === "*") return "origin";
  return readAbsolute(method, asked, fields);
}

function readField(line: string): Field | undefined {
  const [, name = "", value = ""] = /^([^:]+):([\t -~\u0080-\u00ff]*)$/.exec(line) ?? [];
  return isToken(name) ? [name, value] : undefined;
}

/** RFC 9112 §3.2.3: a host and a port. */
function readAuthority(text: string): Target | undefined {
  const [, host = "", port] = /^(\[[\da-f:.]+\]|[\w.-]+):(\d{1,5})$/i.exec(text) ?? [];
  return createTarget(host, Number(port));
}

function readAbsolute(method: string, asked: string, fields: readonly Field[]): ProxyRequest | undefined {
  const address = parseAddress(asked);
  if (address === undefined) return undefined;
  const { protocol, hostname, port } = new URL(address.origin);
  const target = createTarget(hostname, Number(port || (protocol === "https:" ? 443 : 80)));
  const kept = fields.filter(([name]) => !ofConnection.test(name));
  // RFC 9112 §3.2.2: the host of the target replaces the Host header.
  const sent = [`host: ${address.host}`, "connection: close", ...kept.map((field) => field.join(":"))];
  const lines = [`${method} ${pathAndQuery(address)} HTTP/1.1`, ...sent];
  return target && { target, plain: { scheme: protocol.slice(0, -1), head: lines.join("\r\n") } };
}

/** A parser of URLs writes other spellings of an address, such as 0x7f.1, as the address. */
function createTarget(host: string, port: number): Target | undefined {
  const url = `http://${host.replace(/\.$/, "")}/`;
  if (!(port >= 1 && port <= 65535) || !URL.canParse(url)) return undefined;
  const { hostname } = new URL(url);
  // With another dot, it would be another name of the same host (RFC 1034 §3.1).
  return hostname === "" || hostname.endsWith(".") ? undefined : { host: withoutBrackets(hostname), port };
}
