/** A forward proxy (RFC 9110 §3.7). It takes no library of HTTP, so it is the same on all runtimes, and bounds what comes. */

import { Buffer } from "node:buffer";
import { createServer, type Server, type Socket } from "node:net";
import { clearTimeout, setTimeout } from "node:timers";
import { sameDigest, sha256 } from "../../../ground/crypto/platform.ts";
import { isLoopbackHost } from "../../../ground/http/address.ts";
import { connectToOther, type FindAddresses, Refused } from "./other_hosts.ts";
import { findAuthorization, type ProxyRequest, readHead } from "./read_head.ts";

export interface ProxyTerms {
  readonly port: number;
  /** Requests to these hosts go to a port of this machine, which speaks TLS. */
  readonly hosts: readonly string[];
  readonly findOwnPort: () => number;
  /** Whether the server looks like the provider at a host. That one may have been switched on after the start. */
  readonly isClaimed: (host: string) => boolean;
  /** Hears the origins for which the proxy does not answer. */
  readonly onRefused: (origin: string) => void;
  /** With a token, other machines reach the proxy, too. They must send it. */
  readonly token: string | undefined;
  readonly passesOthers: boolean;
  /** Default: whether the address of a caller is a loopback one. */
  readonly isOnThisMachine?: (address: string) => boolean;
  readonly findAddresses?: FindAddresses;
  /** How many seconds a head may take. Default: 10. */
  readonly headTime?: number;
}

export interface ListeningProxy {
  readonly port: number;
  /** Accepts no more connections, and ends the open ones when `answered` has settled. */
  close(answered?: Promise<unknown>): Promise<void>;
}

// Milliseconds.
const refusalTime = 1_000;
const idleTime = 600_000;
// In octets.
const longestHead = 16 * 1024;
// A tunnel takes four descriptors, and a process may have only 1024 of them.
const mostWaiting = 200;
const mostTunnels = 150;

export async function listenAsProxy(terms: ProxyTerms): Promise<ListeningProxy> {
  const acceptor = createAcceptor(terms);
  const servers: Server[] = [];
  const close: ListeningProxy["close"] = async (answered) => {
    const closed = servers.map((server) => new Promise<void>((resolve) => server.close(() => resolve())));
    await answered;
    acceptor.end();
    await Promise.all(closed);
  };
  let { port } = terms;
  try {
    for (const host of terms.token === undefined ? ["127.0.0.1", "::1"] : ["0.0.0.0", "::1"]) {
      const server = createServer((socket) => acceptor.accept(socket, port));
      try {
        port = await listen(server, host, port);
        servers.push(server);
      } catch (error) {
        // Some containers have no IPv6.
        if (host !== "::1" || (error as { readonly code?: unknown }).code === "EADDRINUSE") throw error;
      }
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { port, close };
}

function listen(server: Server, host: string, port: number): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once("error", reject).listen({ host, port }, () => {
      server.off("error", reject);
      resolve((server.address() as { readonly port: number }).port);
    });
  });
}

function createAcceptor(terms: ProxyTerms) {
  const waiting = createBound(mostWaiting);
  const tunnels = createBound(mostTunnels);
  return {
    accept(client: Socket, port: number): void {
      client.on("error", () => client.destroy());
      waiting.add(client);
      readUntilBody(client, terms.headTime ?? 10, (head, rest) => {
        waiting.remove(client);
        const onActive = () => tunnels.add(client);
        onActive();
        answer({ client, head, rest, onActive }, { ...terms, port }).catch((error) => {
          if (error instanceof Refused) refuse(client, error);
          else client.destroy();
        });
      });
    },
    end(): void {
      waiting.end();
      tunnels.end();
    },
  };
}

interface Arrived {
  readonly client: Socket;
  /** Empty: it is too long. */
  readonly head: string;
  /** The octets behind the head. */
  readonly rest: Buffer;
  readonly onActive: () => void;
}

async function answer({ client, head, rest, onActive }: Arrived, terms: ProxyTerms): Promise<void> {
  const { port: proxyPort, findOwnPort, token, isOnThisMachine = isLoopbackHost, findAddresses } = terms;
  const isElsewhere = !isOnThisMachine(client.remoteAddress ?? "");
  if (isElsewhere) requireToken(head, token);
  const request = requireRequest(head);
  const ending = new AbortController();
  client.once("close", () => ending.abort());
  const { signal } = ending;
  const far = isOwn(request, terms)
    ? await connectToOther({ host: "127.0.0.1", port: findOwnPort() }, {
      proxyPort,
      isElsewhere: false,
      signal,
    })
    : await connectToOther(request.target, { proxyPort, isElsewhere, signal, findAddresses });
  if (request.plain === undefined) client.write("HTTP/1.1 200 Connection established\r\n\r\n");
  else far.write(`${request.plain.head}\r\n\r\n`, "latin1");
  if (rest.length > 0) far.write(rest);
  join(client, far, onActive);
}

interface Bound {
  /** Adds a connection, or makes a known one the latest. The one that was added longest ago ends if there are too many. */
  add(socket: Socket): void;
  remove(socket: Socket): void;
  end(): void;
}

function createBound(most: number): Bound {
  const open = new Set<Socket>();
  const remove = (socket: Socket) => void open.delete(socket);
  return {
    add(socket) {
      if (!open.delete(socket)) socket.once("close", () => remove(socket));
      if (!socket.destroyed) open.add(socket);
      const [oldest] = open;
      if (open.size <= most || oldest === undefined) return;
      remove(oldest);
      oldest.destroy();
    },
    remove,
    end: () => open.forEach((socket) => socket.destroy()),
  };
}

/** Calls `work` once, with the head and the octets behind it. The head is empty if it is too long. */
function readUntilBody(
  client: Socket,
  seconds: number,
  work: (head: string, rest: Buffer) => void,
): void {
  const end = "\r\n\r\n";
  const read = Buffer.alloc(longestHead + end.length);
  let length = 0;
  const timer = setTimeout(() => client.destroy(), seconds * 1000);
  client.once("close", () => clearTimeout(timer));
  const take = (chunk: Buffer) => {
    // The end may have begun in the chunk before.
    const from = Math.max(0, length - end.length + 1);
    const taken = chunk.copy(read, length);
    length += taken;
    const at = read.subarray(0, length).indexOf(end, from);
    if (at === -1 && length < read.length) return;
    clearTimeout(timer);
    client.off("data", take).pause();
    const rest = Buffer.concat([read.subarray(at + end.length, length), chunk.subarray(taken)]);
    work(read.toString("latin1", 0, Math.max(0, at)), rest);
  };
  client.on("data", take);
}

function requireRequest(head: string): ProxyRequest {
  const request = readHead(head);
  if (request === undefined) {
    throw new Refused(400, "The proxy cannot read this request: its head is malformed or too long.");
  }
  if (request !== "origin") return request;
  throw new Refused(421, "This is a proxy, and no server: set it as the proxy of your program.");
}

/** RFC 7617 and RFC 6750: the token is the password of any user, or a bearer token. */
function requireToken(head: string, token = ""): void {
  const authorization = findAuthorization(head) ?? "";
  const [, scheme = "", text = ""] = /^(basic|bearer) +([A-Za-z\d._~+/=-]+)$/i.exec(authorization) ?? [];
  const sent = scheme.toLowerCase() === "basic"
    ? Buffer.from(text, "base64").toString("latin1").replace(/^[^:]*:/, "")
    : text;
  if (token !== "" && sameDigest(sha256(sent), sha256(token))) return;
  throw new Refused(407, "From another machine, the proxy needs the token of --proxy-token.");
}

/** Whether the proxy answers for the host. Throws if the proxy refuses the request. */
function isOwn(
  { plain, target: { host, port } }: ProxyRequest,
  { hosts, isClaimed, passesOthers, onRefused }: ProxyTerms,
): boolean {
  if (hosts.includes(host)) {
    // The provider itself never gets a request, because it might hold real credentials.
    if (plain === undefined && port === 443) return true;
    throw new Refused(403, `The proxy answers for ${host} only by https, at port 443.`);
  }
  if (isClaimed(host) || !passesOthers) {
    onRefused(
      new URL(`${plain?.scheme ?? "https"}://${host.includes(":") ? `[${host}]` : host}:${port}`).origin,
    );
  }
  if (isClaimed(host)) {
    const others = hosts.join(", ");
    throw new Refused(403, `The proxy has no certificate for ${host}, because it started for ${others}.`);
  }
  if (!passesOthers) {
    const own = `The proxy answers only for ${hosts.join(", ")}, and not for ${host}.`;
    const ways =
      "--proxy-host adds a host for routes of your tests, --proxy-others passes other hosts through.";
    throw new Refused(403, `${own} ${ways}`);
  }
  if (plain !== undefined && plain.scheme !== "http") {
    throw new Refused(400, "The proxy passes https through only by CONNECT.");
  }
  return false;
}

const phrases: Readonly<Record<number, string>> = {
  400: "Bad Request",
  403: "Forbidden",
  407: "Proxy Authentication Required",
  421: "Misdirected Request",
  502: "Bad Gateway",
};

function refuse(client: Socket, { status, message }: Refused): void {
  if (client.destroyed) return;
  const body = `${message}\n`;
  const lines = [
    `HTTP/1.1 ${status} ${phrases[status]}`,
    "content-type: text/plain; charset=utf-8",
    `content-length: ${Buffer.byteLength(body)}`,
    "cache-control: no-store",
    "connection: close",
    ...(status === 407 ? ['proxy-authenticate: Basic realm="Postern"'] : []),
  ];
  client.resume().end(`${lines.join("\r\n")}\r\n\r\n${body}`);
  const timer = setTimeout(() => client.destroy(), refusalTime);
  client.once("close", () => clearTimeout(timer));
}

/** Calls `onActive` when octets come from either side. */
function join(client: Socket, far: Socket, onActive: () => void): void {
  const end = () => {
    client.destroy();
    far.destroy();
  };
  for (const socket of [client, far]) {
    socket.on("error", end).once("close", end).on("data", onActive).setTimeout(idleTime, end);
  }
  if (client.destroyed || far.destroyed) return end();
  client.pipe(far);
  far.pipe(client);
}
